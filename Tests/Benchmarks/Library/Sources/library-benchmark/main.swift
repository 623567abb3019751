import Glibc
import Typesetting

// What a reading app waits for, over the library: opening a book, its first page as an image, and the first page after a change of
// settings with the reader's place kept. Prints the median and the largest of the runs, in milliseconds on the wall.

struct Samples {
  private var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }

  /// The value that a share of the samples does not exceed.
  func quantile(_ share: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.down)))]
  }

  var median: Double { quantile(0.5) }
}

func milliseconds<Result>(_ work: () async throws -> Result) async rethrows -> (Result, Double) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try await work()
  let spent = (clock.now - start).components
  return (result, Double(spent.seconds) * 1e3 + Double(spent.attoseconds) / 1e15)
}

func padded(_ text: String, _ width: Int) -> String {
  text.count >= width ? String(text.prefix(width)) : text + String(repeating: " ", count: width - text.count)
}

func column(_ value: Double) -> String {
  let text = value.isNaN ? "-" : "\(Double((value * 10).rounded()) / 10)"
  return String(repeating: " ", count: max(1, 10 - text.count)) + text
}

struct Row {
  var opening = Samples()
  var firstPage = Samples()
  var larger = Samples()
  var margins = Samples()
}

/// One run over a book: what each step took.
func measure(_ path: String, into row: inout Row) async throws {
  let (book, opening) = try await milliseconds { try Book(contentsOf: path) }
  row.opening.add(opening)
  let typesetter = Typesetter(book: book)
  let (_, first) = await milliseconds { await typesetter.page(0, of: 0)?.png() }
  row.firstPage.add(first)

  // The reader is in the middle of the book.
  let middle = book.chapters.count / 2
  var pages: [Page] = []
  for await page in typesetter.pages(of: middle) {
    pages.append(page)
    if pages.count == 10 { break }
  }
  guard let place = pages.last?.start else { return }
  var settings = typesetter.settings
  settings.fontSize *= 1.25
  let (_, larger) = await milliseconds { await typesetter.apply(settings, keeping: place)?.png() }
  row.larger.add(larger)
  settings.marginLeft = settings.marginLeft + settings.marginLeft / 2
  let (_, margins) = await milliseconds { await typesetter.apply(settings, keeping: place)?.png() }
  row.margins.add(margins)
}

var runs = 5
var books: [String] = []
var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let argument = arguments.next() {
  if argument == "--runs", let value = arguments.next().flatMap({ Int($0) }), value > 0 {
    runs = value
  } else {
    books.append(argument)
  }
}
guard !books.isEmpty else {
  print("library-benchmark BOOK... [--runs N]")
  exit(64)
}

print(padded("book", 34) + "      open  first page  larger type   margins")
var all = Row()
for path in books {
  var row = Row()
  do {
    for _ in 0..<runs { try await measure(path, into: &row) }
  } catch {
    print("\(path): \(error)")
    continue
  }
  let name = path.split(separator: "/").last.map(String.init) ?? path
  print(
    padded(name, 34) + column(row.opening.median) + "  " + column(row.firstPage.median) + "   "
      + column(row.larger.median) + column(row.margins.median))
  all.opening.add(row.opening.median)
  all.firstPage.add(row.firstPage.median)
  all.larger.add(row.larger.median)
  all.margins.add(row.margins.median)
}
for (label, share) in [("median of the books", 0.5), ("95 of 100 books", 0.95)] {
  print(
    padded(label, 34) + column(all.opening.quantile(share)) + "  " + column(all.firstPage.quantile(share)) + "   "
      + column(all.larger.quantile(share)) + column(all.margins.quantile(share)))
}

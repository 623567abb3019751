import CAllocator
import Glibc
import Primitives
import Typesetting

// The library's side of `library.py`: reads a command a line, does it, and answers with a line of numbers: milliseconds on the
// wall, or mebibytes. Times are taken here so that the time of the pipe is nobody's.
//
//     first BOOK      opening; opening and the first page as PNG
//     chapter BOOK N  opening, and the first page of a chapter in the middle as PNG
//     change BOOK     the page a reader sees after a larger font, after wider margins, in another family, in the dark
//     turn BOOK       the next page, which has been prefetched; a page ten pages on, which has not
//     soak LIMIT BOOK reads in a book with caches of so many mebibytes and gives it up: pages, search, settings
//     memory          resident now, resident at the most, resident without the files that are mapped; of the allocator in use, free

func milliseconds<Result>(_ work: () async throws -> Result) async rethrows -> (Result, Double) {
  let clock = ContinuousClock()
  let start = clock.now
  let result = try await work()
  let spent = (clock.now - start).components
  return (result, Double(spent.seconds) * 1e3 + Double(spent.attoseconds) / 1e15)
}

/// Opening, and opening and the first page of a chapter.
func first(_ path: String, chapter: Int) async throws -> [Double] {
  var opening = 0.0
  let (_, spent) = try await milliseconds {
    let (book, spent) = try await milliseconds { try await Book(contentsOf: path) }
    opening = spent
    return try? await Typesetter(book: book).page(0, of: chapter).png()
  }
  return [opening, spent]
}

/// A reader who is ten pages into the middle of the book.
func reader(_ path: String, cacheLimit: Int = 64 << 20) async throws -> (Typesetter, Page)? {
  let typesetter = Typesetter(book: try await Book(contentsOf: path), cacheLimit: cacheLimit)
  var last: Page?
  for try await page in typesetter.pages(of: typesetter.book.chapters.count / 2) {
    last = page
    if page.index == 9 { break }
  }
  return last.map { (typesetter, $0) }
}

func change(_ path: String) async throws -> [Double] {
  guard let (typesetter, page) = try await reader(path) else { return [] }
  var settings = typesetter.settings
  let changes: [(inout TypesettingSettings) -> Void] = [
    { $0.fontSize *= 1.25 }, { $0.marginLeft = $0.marginLeft + $0.marginLeft / 2 },
    { $0.fontFamily = ["DejaVu Serif"] }, { $0.theme = .dark },
  ]
  var times: [Double] = []
  for change in changes {
    change(&settings)
    times.append(try await milliseconds { try await typesetter.apply(settings, keeping: page.start).png() }.1)
  }
  return times
}

func turn(_ path: String) async throws -> [Double] {
  guard let (typesetter, page) = try await reader(path) else { return [] }
  await typesetter.prefetch(around: page)
  let next = await milliseconds { try? await typesetter.page(page.index + 1, of: page.chapter).png() }.1
  let far = await milliseconds { try? await typesetter.page(page.index + 11, of: page.chapter).png() }.1
  return [next, far]
}

func soak(_ path: String, mebibytes: Int) async throws -> [Double] {
  Engine.configure(Engine.Configuration(boundsMemory: true))
  let (pages, spent) = try await milliseconds { () -> Int in
    guard let (typesetter, page) = try await reader(path, cacheLimit: mebibytes << 20) else { return 0 }
    var pages = page.index + 1
    _ = page.png()
    var found = 0
    for await _ in typesetter.search("e") {
      found += 1
      if found == 500 { break }
    }
    var settings = typesetter.settings
    settings.fontSize = 20
    pages += try await typesetter.apply(settings, keeping: page.start).png().isEmpty ? 0 : 1
    for chapter in typesetter.book.chapters.indices.prefix(8) {
      for index in 0..<4 where (try? await typesetter.page(index, of: chapter).png()) != nil { pages += 1 }
    }
    return pages
  }
  return [Double(pages), spent]
}

func memory() -> [Double] {
  var resident = 0.0
  var peak = 0.0
  var anonymous = 0.0
  if let file = fopen("/proc/self/status", "r") {
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let kibibytes = Double(text.filter(\.isNumber)) ?? 0
      if text.hasPrefix("VmRSS:") { resident = kibibytes / 1024 }
      if text.hasPrefix("VmHWM:") { peak = kibibytes / 1024 }
      if text.hasPrefix("RssAnon:") { anonymous = kibibytes / 1024 }
    }
  }
  let allocator = mallinfo2()
  let figures = [allocator.uordblks + allocator.hblkhd, allocator.fordblks].map { Double($0) / 1_048_576 }
  return [resident, peak, anonymous] + figures
}

func answer(_ command: [String]) async throws -> [Double] {
  switch (command.first, command.count) {
  case ("first", 2): return try await first(command[1], chapter: 0)
  case ("chapter", 3): return try await first(command[1], chapter: Int(command[2]) ?? 0)
  case ("change", 2): return try await change(command[1])
  case ("turn", 2): return try await turn(command[1])
  case ("soak", 3): return try await soak(command[2], mebibytes: Int(command[1]) ?? 64)
  case ("memory", 1): return memory()
  default: throw BookError(.unreadable, "no such command")
  }
}

// Tabs part the words of a command, since paths have blanks.
while let line = readLine() {
  do {
    print(try await answer(line.split(separator: "\t").map(String.init)).map { "\($0)" }.joined(separator: " "))
  } catch {
    print("error \(error)")
  }
  fflush(nil)
}

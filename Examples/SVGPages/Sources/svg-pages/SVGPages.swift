import Foundation
import Typesetting

/// Sets a book and draws its first pages as SVG.
///
///     swift run svg-pages book.epub out/ [most]
@main struct SVGPages {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count > 2 else { return fail("usage: svg-pages BOOK FOLDER [MOST]", 64) }
    do {
      try await draw(arguments[1], to: arguments[2], most: arguments.count > 3 ? Int(arguments[3]) ?? 10 : 10)
    } catch {
      fail("\(arguments[1]): \(error.localizedDescription)", 65)
    }
  }

  private static func draw(_ path: String, to folder: String, most: Int) async throws {
    let book = try await Book(contentsOf: path)
    let typesetter = Typesetter(book: book)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var number = 0
    for chapter in book.chapters.indices {
      for try await page in typesetter.pages(of: chapter) {
        number += 1
        let svg = SVGWriter.svg(page.displayList, page.resources)
        let name = "page-" + String(repeating: "0", count: max(0, 4 - String(number).count)) + "\(number).svg"
        try Data(svg.utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
        if number == most { return }
      }
    }
  }

  private static func fail(_ message: String, _ status: Int32) {
    FileHandle.standardError.write(Data("svg-pages: \(message)\n".utf8))
    exit(status)
  }
}

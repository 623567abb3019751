import ChapterEngine
import Foundation
import TestSupport

@testable import Typesetting

/// Where documents come from whose pages are compared: the corpus, and what lies beside the package where it does.
enum PageDocumentSources {
  static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let corpus = root.appendingPathComponent("Corpus")
  static let sharedBooks = root.appendingPathComponent("../shared/books/epub").standardizedFileURL
  /// Archives of the W3C's CSS tests.
  static let archives = ["css21/css21-public.tar.xz", "wpt/wpt-public.tar.xz"].map {
    root.appendingPathComponent("../shared/\($0)").standardizedFileURL
  }
  static var areArchivesPresent: Bool { archives.allSatisfy { isPresent($0) } }
  static func isPresent(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Books and single documents below a folder, in the order of their paths.
  static func books(below folder: URL) -> [URL] {
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else { return [] }
    let unpacked = names.filter { $0.hasSuffix("META-INF/container.xml") }
      .map { folder.appendingPathComponent($0).deletingLastPathComponent().deletingLastPathComponent() }
    let files = names.filter { name in
      ["epub", "xhtml", "xht", "html", "htm", "txt"].contains((name as NSString).pathExtension)
    }.map { folder.appendingPathComponent($0) }.filter { file in
      !unpacked.contains { file.path.hasPrefix($0.path + "/") }
    }
    return (unpacked + files).sorted { $0.path < $1.path }
  }

  /// Documents under one of the profiles in turn.
  static func inTurn(_ books: [URL], most: Int = .max) -> [PageDocument] {
    books.enumerated().map { index, book in
      PageDocument(url: book, profile: index % PageProfiles.all.count, most: most)
    }
  }

  /// Documents under all profiles.
  static func everyProfile(_ books: [URL], most: Int = .max) -> [PageDocument] {
    books.flatMap { book in PageProfiles.all.indices.map { PageDocument(url: book, profile: $0, most: most) } }
  }

  /// Some of the documents, the same in each run.
  static func sample<Element>(_ all: [Element], count: Int, seed: UInt64 = 19) -> [Element] {
    var generator = FixedGenerator(seed: seed)
    return Array(all.shuffled(using: &generator).prefix(count))
  }
}

/// An archive unpacked into a folder that goes away with this.
final class UnpackedArchive {
  let folder: TestBook

  init(_ archive: URL) throws {
    folder = try TestBook()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["tar", "-xf", archive.path, "-C", folder.folder.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Unreadable() }
  }
  struct Unreadable: Error {}

  var documents: [URL] { PageDocumentSources.books(below: folder.folder) }
}

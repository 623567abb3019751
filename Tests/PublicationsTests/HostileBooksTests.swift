import Foundation
import Markup
import Primitives
import Publications
import TestSupport
import Testing

/// Broken and hostile books, where they are beside the project.
@Suite struct HostileBooksTests {
  struct Manifest: Decodable {
    struct Case: Decodable {
      var file: String
      var expect: String
      var must_contain: [String]
      var must_not_contain: [String]
    }
    var cases: [Case]
  }

  static let folder = URL(fileURLWithPath: SharedData.path("books/hostile"))
  static let cases: [Manifest.Case] = {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("hostile.json")) else { return [] }
    return (try? JSONDecoder().decode(Manifest.self, from: data))?.cases ?? []
  }()

  @Test(.enabled(if: SharedData.isThere("books/hostile"), "the hostile books are not beside the project"))
  func `Open as they should`() throws {
    #expect(!Self.cases.isEmpty)
    for book in Self.cases {
      let path = Self.folder.appendingPathComponent(book.file).path
      guard let publication = try? Publication.open(path: path) else {
        #expect(book.expect != "recover", "\(book.file)")
        continue
      }
      #expect(book.expect != "error", "\(book.file)")
      let text = publication.spine.indices.prefix(60).map { visibleText(publication.document(at: $0).document) }
        .joined(separator: "\n")
      if book.expect == "recover" {
        for wanted in book.must_contain { #expect(text.contains(wanted), "\(book.file) lacks \(wanted)") }
      }
      for unwanted in book.must_not_contain { #expect(!text.contains(unwanted), "\(book.file) has \(unwanted)") }
    }
  }

  private func visibleText(_ document: Document) -> String {
    var text = ""
    var index = 0
    while index < document.nodes.count {
      let node = document.nodes[index]
      if node.kind == .element, [.head, .script, .style].contains(node.name) {
        index = node.subtreeEnd.index
        continue
      }
      if node.kind == .text { text += document.string(node.range) }
      index += 1
    }
    return text
  }
}

import Foundation
import Testing

/// The library's documentation is complete: each public declaration has a documentation comment, each case of a
/// public enumeration and each requirement of a public protocol too.
@Suite struct DocumentationTests {
  private static let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized

  @Test(arguments: ["Primitives", "Graphics", "ChapterEngine", "Typesetting"])
  func `Every public declaration is documented`(module: String) throws {
    let folder = Self.sources.appendingPathComponent(module)
    let files = try #require(FileManager.default.subpaths(atPath: folder.path)).filter { $0.hasSuffix(".swift") }
    var count = 0
    for file in files.sorted() {
      let found = DeclarationScan(try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
      count += found.declarations
      #expect(found.undocumented == [], "\(module)/\(file)")
    }
    #expect(count > 20)
  }

  @Test func `What is not documented is found`() {
    let scan = DeclarationScan(
      """
      /// A kind.
      public enum Kind {
        /// One.
        case one
        case two(Int)
        public var isOne: Bool {
          switch self {
          case .one: true
          case .two: false
          }
        }
        case three, four
      }
      public protocol Named {
        func name() -> String
        /// Its length.
        @inlinable @inline(__always)
        var length: Int { get }
      }
      struct Hidden { var part = "{ public func" }
      /// Sides.
      public enum Side { case left, right }
      @frozen public struct Shown {
        var hidden = 0
        package func close() {}
        @inlinable public static func + (a: Self, b: Self) -> Self { a }
      }
      """)
    #expect(
      scan.undocumented == [
        "case two(Int)", "public var isOne: Bool {", "case three, four", "public protocol Named {",
        "func name() -> String", "public enum Side { case left, right }", "@frozen public struct Shown {",
        "@inlinable public static func + (a: Self, b: Self) -> Self { a }",
      ])
    #expect(scan.declarations == 11)
  }
}

/// The public declarations of a source file, told by its lines: a declaration starts one, after its attributes.
private struct DeclarationScan {
  /// How many there are.
  private(set) var declarations = 0
  /// The lines of those without a comment.
  private(set) var undocumented: [String] = []

  private enum Scope { case publicEnum, publicProtocol, other }

  init(_ source: String) {
    var scopes: [Scope] = []
    var isDocumented = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("//") {
        isDocumented = line.hasPrefix("///")
        continue
      }
      let declaration = Self.code(line).replacing(/@\w+(\([^)]*\))?/, with: "")
      let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      // Attributes on lines of their own stand between a comment and its declaration.
      if words.isEmpty, line.hasPrefix("@") { continue }
      let isPublic = words.first == "public" && words.dropFirst().first != "import"
      let isMember =
        switch scopes.last {
        case .publicEnum: words.first == "case" || words.first == "indirect"
        case .publicProtocol:
          ["func", "var", "init", "subscript", "static", "mutating", "associatedtype"]
            .contains(words.first ?? "")
        default: false
        }
      if isPublic || isMember {
        declarations += 1
        // Cases on the line of their enumeration have no room for a comment.
        let hasCases = isPublic && words.contains("enum") && words.contains("case")
        if !isDocumented || hasCases { undocumented.append(line) }
      }
      var opened: Scope = isPublic && words.contains("enum") ? .publicEnum : .other
      if isPublic, words.contains("protocol") { opened = .publicProtocol }
      for character in Self.code(line) {
        if character == "{" {
          scopes.append(opened)
          opened = .other
        } else if character == "}" {
          _ = scopes.popLast()
        }
      }
      isDocumented = false
    }
  }

  /// A line without the texts in it and without the comment behind it.
  private static func code(_ line: String) -> String {
    var code = ""
    var isText = false
    var before: Character?
    for character in line {
      if character == "\"", before != "\\" { isText.toggle() } else if !isText { code.append(character) }
      before = before == "\\" ? nil : character
    }
    return code.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? code
  }
}

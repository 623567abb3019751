import Foundation
import Testing

/// References of the repository to itself: rules and sections in comments and test names, links, names of source files.
@Suite struct ReferenceTests {
  private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

  /// Ids that a page defines: `- **G8** …`, and headings such as `## 4. Comparison`.
  private static func anchors(of page: String) throws -> Set<String> {
    var anchors: Set<String> = []
    for line in try text("Documentation/\(page)").split(separator: "\n") {
      if let item = line.firstMatch(of: #/^- \*\*([A-Z]?-?[0-9.]+)\*\* /#) { anchors.insert(String(item.1)) }
      if let heading = line.firstMatch(of: #/^## ([0-9]+)\. /#) { anchors.insert(String(heading.1)) }
    }
    return anchors
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Paths of the files below a folder whose names end so, in order.
  private static func files(below folder: String, _ suffix: String) throws -> [String] {
    let all = try #require(FileManager.default.subpaths(atPath: root.appendingPathComponent(folder).path), "\(folder)")
    return all.filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }.sorted().map { "\(folder)/\($0)" }
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The pages that people read: those of `Documentation/` and those beside the licence.
  private static func pages() throws -> [String] {
    let top = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }
    return try top.sorted() + files(below: "Documentation", ".md")
  }

  /// The comments of a source that have a parenthesis.
  private static func comments(of source: String) -> [Substring] {
    source.split(separator: "\n").compactMap { line in
      guard line.utf8.contains(UInt8(ascii: "(")) else { return nil }
      return line.firstMatch(of: #/\/\/.*/#)?.output
    }
  }

  /// The ids at the start of a test's name: `B2 the whole paragraph …`, `R1, R5: annotations …`.
  static func rules(inNames source: String) -> [String] {
    var ids: [String] = []
    for line in source.split(separator: "\n")
    where line.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "`") }) {
      guard let name = line.firstMatch(of: #/(?:func `|@(?:Test|Suite)\(\s*")((?:[A-Z]-?[0-9]+(?:,? |: ))+)/#) else {
        continue
      }
      ids += name.output.1.matches(of: #/[A-Z]-?[0-9]+/#).map { String($0.output) }
    }
    return ids
  }

  /// The ids in parentheses of comments: "(G8)", "(H1 to H4)"; rules of an annex of Unicode in its own files are none.
  static func rules(inComments source: String) -> [String] {
    var ids: [String] = []
    for comment in comments(of: source) {
      for list in comment.matches(of: #/\(([A-Z]-?[0-9]{1,2}(?:(?:,| to| and)? [A-Z]-?[0-9]{1,2})*)\)/#) {
        ids += list.output.1.matches(of: #/[A-Z]-?[0-9]+/#).map { String($0.output) }
      }
    }
    return ids
  }

  /// Sections of the harness's page: "(snapshot harness, 4.5, 4.6)" everywhere, "(4.6)" where it is `short`.
  static func sections(inComments source: String, short: Bool) -> [String] {
    var ids: [String] = []
    for comment in comments(of: source) {
      for list in comment.matches(
        of: #/\((snapshot harness, )?([0-9]+(?:\.[0-9]+)?(?:(?:, |-)[0-9]+(?:\.[0-9]+)?)*)\)/#)
      {
        guard list.output.1 != nil || (short && list.output.2.contains(".")) else { continue }
        ids += list.output.2.matches(of: #/[0-9]+(?:\.[0-9]+)?/#).map { String($0.output) }
      }
    }
    return ids
  }

  @Test func `Rules that comments and tests name stand in the rule book`() throws {
    let rules = try Self.anchors(of: "typography.md")
    #expect(rules.count > 100)
    var named = 0
    for path in try Self.files(below: "Sources", ".swift") + Self.files(below: "Tests", ".swift") {
      let source = try Self.text(path)
      let isAnnex = path.hasPrefix("Sources/Text/Analysis/Bidi")
      let ids =
        (path.hasPrefix("Tests/") ? Self.rules(inNames: source) : []) + (isAnnex ? [] : Self.rules(inComments: source))
      named += ids.count
      for id in Set(ids).subtracting(rules).sorted() {
        Issue.record("\(path): Documentation/typography.md has no rule \(id)")
      }
    }
    #expect(named > 100)
  }

  @Test func `Sections of the harness that comments name stand on its page`() throws {
    let sections = try Self.anchors(of: "harness.md")
    var named = 0
    for path in try Self.files(below: "Sources", ".swift") + Self.files(below: "Tests", ".swift") {
      let isHarness = path.contains("/SnapshotHarness")
      let ids = Self.sections(inComments: try Self.text(path), short: isHarness)
      named += ids.count
      for id in Set(ids).subtracting(sections).sorted() {
        Issue.record("\(path): Documentation/harness.md has no section \(id)")
      }
    }
    #expect(named > 20)
  }

  @Test func `References are found in names and comments`() {
    let source = """
      /// A row (G8), marks (H1 to H4), not C(2).
      /// A child (snapshot harness, 7.1, 9.3) and a mask (4.6), in 10 (10) ways.
      @Test func `J3 C6 A line`() {}
      @Test func `R1, R5: annotations`() {}
      @Test(arguments: ["M0 0h10"]) func `SVG 2 paths`() {}
      """
    #expect(Self.rules(inNames: source) == ["J3", "C6", "R1", "R5"])
    #expect(Self.rules(inComments: source) == ["G8", "H1", "H4"])
    #expect(Self.sections(inComments: source, short: true) == ["7.1", "9.3", "4.6"])
    #expect(Self.sections(inComments: source, short: false) == ["7.1", "9.3"])
  }

  @Test func `Relative links lead to files`() throws {
    for page in try Self.pages() {
      let folder = URL(fileURLWithPath: "/\(page)").deletingLastPathComponent()
      for link in try Self.text(page).matches(of: #/\]\(([^)#\s]+)(?:#[^)]*)?\)/#) {
        let target = String(link.output.1)
        guard !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
        let path = folder.appendingPathComponent(target).standardized.path
        #expect(Self.exists(String(path.dropFirst())), "\(page): \(target)")
      }
    }
  }

  @Test func `Files that pages name are there`() throws {
    for page in try Self.pages() {
      for name in try Self.text(page).matches(
        of: #/`((?:Sources|Tests|Documentation|Scripts|Examples|Plugins)\/[^`\s*…<>]*)`/#)
      {
        #expect(Self.exists(String(name.output.1)), "\(page): \(name.output.1)")
      }
    }
  }
}

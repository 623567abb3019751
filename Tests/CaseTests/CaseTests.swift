import Foundation
import TestSupport
import Testing

/// The rules under `Tests/Cases`, each a page of HTML and what has to come of it (`RuleCase`).
struct CaseTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Cases")
  private static let cases = RuleCase.all(in: folder)

  @Test(arguments: cases.filter { !$0.isDrawn }) func `a page comes out as its rule expects`(_ rule: RuleCase) throws {
    try compare(rule)
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: cases.filter(\.isDrawn))
  func `a page looks as its rule expects`(_ rule: RuleCase) throws {
    try compare(rule)
  }

  private func compare(_ rule: RuleCase) throws {
    try #require(RuleCase.areFontsDrawn, "the test fonts are not drawn: make set-up does so")
    let environment = ProcessInfo.processInfo.environment
    let found = try rule.dump()
    let isAccepted = environment["CASES_ACCEPT"].map { !$0.isEmpty } ?? false
    if isAccepted, environment["CASE"].map({ $0.isEmpty || rule.name.contains($0) }) ?? true {
      try Data(found.utf8).write(to: rule.expectedPath)
      return
    }
    let expected = try #require(
      try? String(contentsOf: rule.expectedPath, encoding: .utf8), "there is no \(rule.expectedPath.path)")
    #expect(found == expected, "\(rule.name) gives\n\(found)")
  }

  @Test func `each expectation has a rule`() throws {
    let rules = Set(Self.cases.map(\.expectedPath.path))
    #expect(!rules.isEmpty)
    let files = FileManager.default.enumerator(atPath: Self.folder.path)?.compactMap { $0 as? String } ?? []
    for file in files where file.hasSuffix(".expected") {
      #expect(rules.contains(Self.folder.appendingPathComponent(file).path), "\(file) has no page beside it")
    }
  }
}

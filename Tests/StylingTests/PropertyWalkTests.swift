import CSS
import Foundation
import Markup
import Primitives
import Styling
import Testing

/// Walks the table of properties: each row reaches a computed style.
@Suite struct PropertyWalkTests {
  /// The longhands that declarations can set.
  static let longhands = PropertyID.allCases.filter { !$0.row.sample.description.isEmpty }

  /// Styles of `<section><span/></section>` with these declarations. Both are blocks of no particular kind.
  private func tree(parent: String = "", child: String = "") -> StyledTree {
    styled("section { \(parent) } span { \(child) }", "<section><span>a</span></section>")
  }
  private func value(_ id: PropertyID, _ element: String, _ tree: StyledTree) -> String {
    let place = tree.document.nodes.indices.first {
      tree.document.nodes[$0].kind == .element && tree.document.names.name(of: tree.document.nodes[$0].name) == element
    }
    return tree.table.value(of: id.physical(.horizontalTB, .ltr), tree.styles[place ?? 0])
  }

  @Test(arguments: longhands) func `The sample reaches the computed style`(id: PropertyID) {
    let row = id.row
    let initial = value(id, "span", tree())
    let set = value(id, "span", tree(child: "\(row.name): \(row.sample)"))
    #expect(set != initial, "\(row.name): \(row.sample) is \(set)")
    #expect(value(id, "span", tree(child: "\(row.name): \(row.initial)")) == initial)
    let again = tree(child: "\(row.name): \(row.sample)")
    #expect(again.style("span") != tree().style("span"))
  }

  @Test(arguments: longhands) func `Wide keywords follow inheritance`(id: PropertyID) {
    let row = id.row
    let sample = "\(row.name): \(row.sample)"
    let initial = value(id, "span", tree())
    let parents = value(id, "section", tree(parent: sample))
    func child(_ keyword: String) -> String {
      value(id, "span", tree(parent: sample, child: "\(row.name): \(row.sample); \(row.name): \(keyword)"))
    }
    // Inherited lengths and percentages may be spelled in other units; what the parent has is inherited as it is.
    let inherited = value(id, "span", tree(parent: sample, child: "\(row.name): inherit"))
    #expect(inherited != initial, "inherit")
    #expect(child("inherit") == inherited)
    #expect(child("initial") == initial, "initial")
    #expect(child("unset") == (id.isInherited ? inherited : initial), "unset")
    #expect(child("revert") == (id.isInherited ? inherited : initial), "revert")
    #expect(value(id, "span", tree(parent: sample)) == (id.isInherited ? inherited : initial), "nothing")
    if id.isInherited { #expect(inherited == parents) }
  }

  @Test(arguments: longhands) func `Invalid values change nothing`(id: PropertyID) {
    #expect(
      tree(child: "\(id.name): no such thing / 3").style("span") == tree().style("span"))
  }

  @Test(arguments: longhands) func `The sample is supported`(id: PropertyID) {
    let css = "@supports (\(id.name): \(id.row.sample)) { span { letter-spacing: 77px } }"
    #expect(styled(css, "<span>a</span>").style("span").contains("letter-spacing: 77px"))
  }

  /// Two groups are equal when and only when their texts are: nothing is left out of a dump or a fingerprint.
  @Test func `Different styles have different texts and fingerprints`() {
    var css = ""
    var body = ""
    for (index, id) in Self.longhands.enumerated() {
      css += ".c\(index) { \(id.name): \(id.row.sample) }\n"
      body += "<span class='c\(index)'>a</span>"
    }
    css += ".d1 { line-height: 0 } .d2 { float: left } .d3 { display: block } .d4 { display: block; float: left }"
    body += "<span class='d1'/><span class='d2'/><span class='d3'/><span class='d4'/><h1/>"
    let tree = styled(css, body)
    var fingerprints = StyleFingerprints(tree)
    var texts: [ComputedStyle: String] = [:]
    var hashes: [UInt64: ComputedStyle] = [:]
    for place in tree.document.nodes.indices where tree.document.nodes[place].kind == .element {
      let style = tree.styles[place]
      texts[style] = tree.describe(style)
      guard tree.document.names.name(of: tree.document.nodes[place].name) == "span" else { continue }
      let hash = fingerprints.fingerprint(of: NodeID(place))
      #expect(hashes[hash] == nil || hashes[hash] == style)
      hashes[hash] = style
    }
    #expect(texts.count > 180)
    #expect(Set(texts.values).count == texts.count)
    #expect(Set(hashes.values).count == hashes.count)
  }

  @Test func `Fields that are no properties are spelled too`() {
    #expect(styled("span { float: left }", "<span>a</span>").style("span").contains("x-original-display: inline"))
    #expect(
      styled("td { line-height: 2 }", "<table><tr><td>a</td></tr></table>").style("td").contains("x-keeps-line-height"))
  }

  // MARK: Documentation

  @Test func `The documentation lists the table`() throws {
    var path = URL(filePath: #filePath)
    for _ in 0..<3 { path.deleteLastPathComponent() }
    path.append(path: "Documentation/properties.md")
    if ProcessInfo.processInfo.environment["ACCEPT"] != nil {
      try Self.documentation().write(to: path, atomically: true, encoding: .utf8)
    }
    let found = try String(contentsOf: path, encoding: .utf8)
    #expect(found == Self.documentation(), "run this test with ACCEPT=1 to write Documentation/properties.md again")
  }

  private static func documentation() -> String {
    func code(_ text: String) -> String { text.isEmpty ? "" : "`" + text.replacing("|", with: "\\|") + "`" }
    func list(_ names: [String]) -> String { names.map(code).joined(separator: ", ") }
    var text = """
      # Properties

      Made from the table of properties (`Sources/CSS/Properties`) by the test `PropertyWalkTests`; run it with `ACCEPT=1` after
      a change of the table. Values are in the syntax of CSS Values 4, section 2. Every property also takes `inherit`,
      `initial`, `unset`, `revert` and `revert-layer`, and is understood with the prefixes
      \(list(PropertyTable.prefixes)).

      ## Longhands

      | name | values | initial | inherited | group | also called | specification |
      |---|---|---|---|---|---|---|

      """
    for id in PropertyID.allCases where !id.row.sample.description.isEmpty {
      let row = id.row
      text +=
        "| \(code(id.name)) | \(code(row.values.description)) | \(code(row.initial.description)) "
        + "| \(id.isInherited ? "yes" : "no") | \(id.group) | \(list(row.aliases.map(\.description))) | \(row.section) |\n"
    }
    text += "\n## Shorthands\n\n| name | values | longhands | also called | specification |\n|---|---|---|---|---|\n"
    for row in PropertyTable.standard.shorthands {
      let longhands =
        row.name.description == "all"
        ? "all but `direction`, `unicode-bidi` and logical ones" : list(row.longhands.map(\.name))
      text +=
        "| \(code(row.name.description)) | \(code(row.values.description)) | \(longhands) "
        + "| \(list(row.aliases.map(\.description))) | \(row.section) |\n"
    }
    return text
  }
}

package import BoxGeneration
import CSS
import Markup
import Primitives
package import Styling

/// The values of all groups of one element, before they are interned.
package struct StyleValues {
  package var font = FontStyle()
  package var text = TextStyle()
  package var paragraph = ParagraphStyle()
  package var list = ListStyle()
  package var box = BoxStyle()
  package var border = BorderGroup()
  package var background = BackgroundGroup()
  package var page = PageGroup()
}

/// A style rule of a test: a selector of the form `tag`, `.class` or one of them with `::before` and the like.
package struct Rule {
  package var selector: String
  package var apply: (inout StyleValues) -> Void
  package init(_ selector: String, _ apply: @escaping (inout StyleValues) -> Void) {
    self.selector = selector
    self.apply = apply
  }
}

/// A styled tree from markup: displays of HTML by element name, then the rules in order, nothing else.
package func styledTree(_ markup: String, _ rules: [Rule] = []) -> StyledTree {
  var bytes: [UInt8] = []
  let source =
    markup.hasPrefix("<html") ? markup : "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>\(markup)</body></html>"
  bytes = Array(source.utf8)
  let document = MarkupReader.read(bytes, as: .xml).document
  var table = StyleTable()
  func intern<Value: Equatable, Tag>(_ value: Value, _ values: inout [Value]) -> Identifier<Tag> {
    if let index = values.firstIndex(of: value) { return Identifier(index) }
    values.append(value)
    return Identifier(values.count - 1)
  }
  func intern(_ values: StyleValues) -> ComputedStyle {
    ComputedStyle(
      font: intern(values.font, &table.fonts), text: intern(values.text, &table.texts),
      paragraph: intern(values.paragraph, &table.paragraphs), list: intern(values.list, &table.lists),
      box: intern(values.box, &table.boxes), border: intern(values.border, &table.borders),
      background: intern(values.background, &table.backgrounds), page: intern(values.page, &table.pages))
  }
  func inherited(_ parent: StyleValues) -> StyleValues {
    var values = StyleValues()
    values.font = parent.font
    values.text = parent.text
    values.paragraph = parent.paragraph
    values.list = parent.list
    return values
  }
  var all = [StyleValues](repeating: StyleValues(), count: document.nodes.count)
  var styles = [ComputedStyle](repeating: .initial, count: document.nodes.count)
  var pseudos: [PseudoElementStyle] = []
  for index in document.nodes.indices.dropFirst() {
    let node = document.nodes[index]
    let parent = all[node.parent.index]
    guard node.kind == .element else {
      all[index] = parent
      styles[index] = styles[node.parent.index]
      continue
    }
    var values = inherited(parent)
    let name = document.names.name(of: node.name)
    let classes = (document.attributeValue(.class, of: NodeID(index)) ?? "").split(separator: " ").map { "." + $0 }
    if node.namespace == .html { values.box.display = displays[name] ?? .inline }
    values.box.originalDisplay = values.box.display
    for rule in rules where rule.selector == name || classes.contains(rule.selector) { rule.apply(&values) }
    all[index] = values
    styles[index] = intern(values)
    for pseudo in PseudoElement.allCases where pseudo != .none && pseudo != .firstLine {
      let suffix = [
        "", "::before", "::after", "::marker", "", "::first-letter", "::footnote-call", "::footnote-marker",
      ][
        Int(pseudo.rawValue)]
      let matching = rules.filter { $0.selector == name + suffix || classes.map { $0 + suffix }.contains($0.selector) }
      guard !matching.isEmpty else { continue }
      var own = inherited(values)
      for rule in matching { rule.apply(&own) }
      pseudos.append(PseudoElementStyle(node: NodeID(index), pseudo: pseudo, style: intern(own)))
    }
  }
  return StyledTree(
    document: document, styles: ComputedStyles(styles), pseudoElements: pseudos, table: table,
    statistics: StageStatistics(),
    diagnostics: DiagnosticSink())
}

private let displays: [String: Display] = [
  "html": .block, "body": .block, "div": .block, "p": .block, "pre": .block, "ul": .block, "ol": .block,
  "li": .listItem,
  "table": .table, "tr": .tableRow, "td": .tableCell, "th": .tableCell, "tbody": .tableRowGroup,
  "thead": .tableHeaderGroup,
  "caption": .tableCaption, "col": .tableColumn, "colgroup": .tableColumnGroup, "head": .none, "ruby": .ruby,
  "rt": .rubyText, "rtc": .rubyTextContainer, "rbc": .rubyBaseContainer,
  "rb": .rubyBase, "rp": .none, "h1": .block, "blockquote": .block,
]

/// The dump of what is inside `body`.
package func boxes(_ markup: String, _ rules: [Rule] = [], resources: BoxResources = BoxResources()) -> String {
  let tree = styledTree(markup, rules)
  let result = BoxGenerator.generate(tree, resources: resources)
  let body = result.boxes.firstIndex { !$0.node.isNone && tree.document.isElement($0.node, .body) } ?? 0
  return result.dump(tree.document, root: BoxID(body)).split(separator: "\n", omittingEmptySubsequences: false)
    .dropFirst()
    .map { $0.dropFirst(2) }.joined(separator: "\n")
}

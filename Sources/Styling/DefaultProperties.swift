package import CSS
package import Markup
import Primitives

/// What the elements of documents look like where no sheet of a book speaks of them: by the user agent's sheets, and by
/// attributes that are older than CSS.
package struct DefaultProperties {
  private let ruleSets = RuleSetCache()

  package init() {}

  /// The physical longhands that have another value than the initial one somewhere in a document.
  ///
  /// - Parameter usesHouseStyle: By the sheet of the house style, too.
  package func used(in document: Document, usesHouseStyle: Bool = false) -> Set<PropertyID> {
    var sheets = UserAgentSheet.sheets(for: document, setsFormulasApart: true)
    if usesHouseStyle { sheets.append(UserAgentSheet.house) }
    if document.mode == .quirks { sheets.append(UserAgentSheet.quirks) }
    let media = MediaEnvironment()
    let rules = ruleSets.ruleSet(sheets.map { CascadeSource($0, .userAgent) }, media: media)
    var index = RuleIndex(rules, document: document)
    var matches: [MatchedRule] = []
    var matched: Set<MatchedDeclarations> = []
    var declarations: [TypedDeclaration] = []
    var blocks: [Range<Int32>] = []
    var hints = PresentationalHints()
    for place in document.nodes.indices where document.nodes[place].kind == .element {
      index.collectMatches(for: NodeID(place), in: document, into: &matches)
      for match in matches { matched.insert(MatchedDeclarations(sheet: match.sheet, range: match.declarations)) }
      blocks.removeAll(keepingCapacity: true)
      hints.collect(for: NodeID(place), in: document, declarations: &declarations, into: &blocks)
    }
    for match in matched {
      let sheet = sheets[Int(match.sheet)]
      declarations += sheet.longhands[sheet.longhands(of: match.range)]
    }
    return declarations.reduce(into: []) { used, declaration in
      if declaration.hasValueOfItsOwn, declaration.property != .text(.xLanguage) {
        used.formUnion(declaration.property.physicalCandidates)
      }
    }
  }
}

private struct MatchedDeclarations: Hashable {
  var sheet: UInt32
  var range: Range<UInt32>
}

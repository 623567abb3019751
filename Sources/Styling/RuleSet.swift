package import CSS
import Markup
import Primitives

/// Origin of a style sheet (CSS Cascade 4, section 6.2), weakest first for normal declarations.
package enum CascadeOrigin: UInt8, Hashable, Comparable, Sendable {
  case userAgent, user, author

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The rules of some style sheets that hold in one media environment, arranged by what they ask of their subject.
///
/// Knows names but no document, so chapters with the same sheets share it.
package struct RuleSet: Sendable {
  package struct Source: Sendable {
    package var sheet: Stylesheet
    package var origin: CascadeOrigin
    package var layers: LayerRanks
    package init(_ sheet: Stylesheet, _ origin: CascadeOrigin, layers: LayerRanks = LayerRanks()) {
      self.sheet = sheet
      self.origin = origin
      self.layers = layers
    }
  }

  /// The rule of a matched selector.
  struct Rule: Sendable {
    var declarations: Range<UInt32>
    var sheet: UInt32
    var origin: CascadeOrigin
    /// The rank of its layer.
    var layer: UInt8
    /// The innermost scope it stands in, from 1 in `scopes`; 0 for none.
    var scope: UInt32 = 0
    /// Its container queries, from 1 in `containerConditions`; 0 for none.
    var containers: UInt32 = 0
  }
  /// The prelude of an `@scope` (CSS Cascade 6, section 2.5).
  struct Scope: Sendable {
    /// In `complex`; nil where the root is the element around the sheet's.
    var start: Range<UInt32>?
    var end: Range<UInt32>
    var sheet: UInt32
    /// The scope around, from 1 in `scopes`; 0 for none.
    var outer: UInt32
  }
  /// A selector of a rule.
  struct Entry: Sendable {
    /// The bits of the names that must stand among the subject's ancestors.
    var ancestors: NameFilter
    /// Pseudo-element, origin, layer, specificity and rule in falling weight: entries that match are sorted by it.
    var key: UInt64
    var complex: UInt32
    /// An element with the name the entry is kept by matches for that alone.
    var isPlain: Bool
    /// Siblings of the same name, id and classes and without other attributes match alike.
    var isLocal: Bool
    /// The rule stands in a scope.
    var isScoped = false
  }
  struct Complex: Sendable {
    var compounds: Range<UInt32>
    var pseudo: PseudoElement
    var specificity: Specificity
    /// A nested selector's answer is worth remembering: it looks beyond the element.
    var looksAround = false
  }
  struct Compound: Sendable {
    var simples: Range<UInt32>
    var combinator: Combinator
  }
  struct Simple: Sendable {
    var kind: SimpleSelector.Kind
    var match: AttributeMatch
    var ignoresCase: Bool
    /// Case is ignored in HTML documents because HTML says so of the attribute.
    var ignoresCaseInHTML: Bool
    var namespace: NamespaceTest
    /// Names as written and in ASCII lower case.
    var name: UInt32
    var foldedName: UInt32
    var a: Int32
    var b: Int32
    /// In `values`.
    var value: Range<UInt32>
    /// In `complex`, for `:lang()` in `languageRanges`.
    var list: Range<UInt32>
  }
  enum NamespaceTest: Hashable, Sendable {
    case any
    case exactly(Markup.Namespace)
  }

  var names = NameTable()
  var rules: [Rule] = []
  private(set) var scopes: [Scope] = []
  /// The `@container` rules around a rule, from the outermost: one of the queries of each has to hold.
  private(set) var containerConditions: [[[ContainerQuery]]] = []
  /// Selectors ask for the scoping root.
  private(set) var asksForScope = false
  var complex: [Complex] = []
  var compounds: [Compound] = []
  var simples: [Simple] = []
  var values: [UInt8] = []
  var languageRanges: [String] = []
  /// The first of `languageRanges` that is of the book's sheets, which come last.
  private(set) var firstAuthorLanguage = UInt32.max
  /// Names that elements or attributes are asked for, to be found among a document's atoms.
  var typeNames: [UInt32] = []
  var attributeNames: [UInt32] = []
  /// The matches of a selector for an element can change with elements that come later, other than that it is the last
  /// child.
  private(set) var looksAhead = false
  /// The atoms of names that all documents have in common; nil for other names and those nobody asks for.
  private(set) var staticAtoms: [Atom?] = []

  /// Entries by a name their subject must have.
  var byID = NameBuckets()
  var byClass = NameBuckets()
  var byAttribute = NameBuckets()
  var byType = NameBuckets()
  /// Entries for subjects that need none.
  var universal: [Entry] = []

  /// - Parameters:
  ///   - sources: in cascade order; imported sheets stand before those that import them.
  ///   - supports: `true` if a declaration is understood, for `@supports`.
  package init(_ sources: [Source], media: MediaEnvironment, supports: (String, TokenCursor) -> Bool) {
    var keyed: [(key: BucketKey, entry: Entry)] = []
    for (index, source) in sources.enumerated() {
      let firstComplex = UInt32(complex.count)
      if source.origin == .author { firstAuthorLanguage = min(firstAuthorLanguage, UInt32(languageRanges.count)) }
      add(source.sheet)
      let conditions = source.sheet.evaluateConditions(media, supports: supports)
      let contexts = contexts(of: source.sheet, sheet: UInt32(index), firstComplex)
      for rule in source.sheet.styleRules where source.sheet.holds(rule.condition, in: conditions) {
        guard rules.count < 1 << Self.ruleBits else { break }
        let id = UInt32(rules.count)
        rules.append(
          Rule(
            declarations: rule.declarations, sheet: UInt32(index), origin: source.origin,
            layer: source.layers[rule.condition]))
        if !contexts.isEmpty, rule.condition != Stylesheet.noCondition {
          (rules[Int(id)].scope, rules[Int(id)].containers) = contexts[Int(rule.condition)]
        }
        for selector in rule.selectors {
          let (entry, key) = entry(firstComplex + selector, rule: id)
          if let key { keyed.append((key, entry)) } else { universal.append(entry) }
        }
      }
    }
    typeNames = Self.distinct(typeNames)
    attributeNames = Self.distinct(attributeNames)
    asksForScope = !scopes.isEmpty && simples.contains { $0.kind == .scope }
    looksAhead = simples.contains { simple in
      switch simple.kind {
      case .has, .holdsOnly, .nthLastOfType, .onlyOfType: true
      case .nthLastChild: !(simple.a == 0 && simple.b == 1 && simple.list.isEmpty)
      default: false
      }
    }
    func buckets(_ kind: BucketKind) -> NameBuckets {
      NameBuckets(keyed.lazy.filter { $0.key.kind == kind }.map { ($0.key.name, $0.entry) }, nameCount: names.count)
    }
    byID = buckets(.id)
    byClass = buckets(.className)
    byAttribute = buckets(.attribute)
    byType = buckets(.type)
    let fixed = AtomTable()
    staticAtoms = Array(repeating: nil, count: names.count)
    for name in typeNames + attributeNames {
      for form in [name, names.folded[Int(name)]] { staticAtoms[Int(form)] = fixed.lookup(names.name(form)) }
    }
  }

  private enum BucketKind { case id, className, attribute, type }
  private struct BucketKey {
    var kind: BucketKind
    var name: UInt32
  }

  /// Rules beyond what these bits count are dropped.
  static let ruleBits: UInt64 = 21

  /// The entry of a selector, and the most telling name its subject must have: an id before a class before an attribute
  /// before a type.
  private func entry(_ id: UInt32, rule: UInt32) -> (Entry, BucketKey?) {
    let complex = complex[Int(id)]
    let (origin, layer) = (rules[Int(rule)].origin, rules[Int(rule)].layer)
    let subject = compounds[Int(complex.compounds.lowerBound)]
    var best: BucketKey?
    var bestRank = 0
    var isPlain = complex.compounds.count == 1 && subject.simples.count <= 1
    for index in subject.simples {
      let simple = simples[Int(index)]
      let candidate: (rank: Int, key: BucketKey)
      switch simple.kind {
      case .id: candidate = (4, BucketKey(kind: .id, name: simple.foldedName))
      case .className: candidate = (3, BucketKey(kind: .className, name: simple.foldedName))
      case .attribute where simple.namespace != .any:
        candidate = (2, BucketKey(kind: .attribute, name: simple.foldedName))
        isPlain = false
      case .type:
        candidate = (1, BucketKey(kind: .type, name: simple.foldedName))
        if simple.namespace != .any { isPlain = false }
      default:
        isPlain = false
        continue
      }
      if simple.name != simple.foldedName { isPlain = false }
      if candidate.rank > bestRank { (bestRank, best) = (candidate.rank, candidate.key) }
    }
    let key =
      UInt64(complex.pseudo.rawValue) << 61 | UInt64(origin.rawValue) << 59 | UInt64(layer) << 51
      | UInt64(complex.specificity.rawValue) << Self.ruleBits | UInt64(rule)
    var entry = Entry(
      ancestors: ancestorNames(complex.compounds), key: key, complex: id, isPlain: isPlain, isLocal: isLocal(id))
    if rules[Int(rule)].scope != 0 {
      entry.isScoped = true
      entry.isLocal = false
    }
    return (entry, best)
  }

  /// The scope and the container queries of what stands under each condition of a sheet; empty for a sheet without.
  private mutating func contexts(
    of sheet: Stylesheet, sheet index: UInt32, _ firstComplex: UInt32
  ) -> [(scope: UInt32, containers: UInt32)] {
    if sheet.scopes.isEmpty, sheet.containerQueries.isEmpty { return [] }
    var contexts: [(scope: UInt32, containers: UInt32)] = []
    for condition in sheet.conditions {
      var context =
        condition.parent == Stylesheet.noCondition ? (scope: 0, containers: 0) : contexts[Int(condition.parent)]
      switch condition.test {
      case .scope:
        let scope = sheet.scopes[Int(condition.range.lowerBound)]
        func shifted(_ range: Range<UInt32>) -> Range<UInt32> {
          range.lowerBound + firstComplex..<range.upperBound + firstComplex
        }
        scopes.append(
          Scope(start: scope.start.map(shifted), end: shifted(scope.end), sheet: index, outer: context.scope))
        context.scope = UInt32(scopes.count)
      case .container:
        let outer = context.containers == 0 ? [] : containerConditions[Int(context.containers) - 1]
        let range = Int(condition.range.lowerBound)..<Int(condition.range.upperBound)
        containerConditions.append(outer + [Array(sheet.containerQueries[range])])
        context.containers = UInt32(containerConditions.count)
      case .media, .supports, .importSupports, .layer: break
      }
      contexts.append(context)
    }
    return contexts
  }
}

extension RuleSet {
  /// The selector asks nothing of an element's place among its siblings, of what is in it or of the text in it.
  private func isLocal(_ id: UInt32) -> Bool {
    let range = complex[Int(id)].compounds
    let subject = compounds[Int(range.lowerBound)]
    guard subject.combinator != .nextSibling, subject.combinator != .subsequentSibling else { return false }
    return subject.simples.allSatisfy { index in
      let simple = simples[Int(index)]
      switch simple.kind {
      case .type, .namespace, .id, .className, .attribute, .root, .scope, .anyLink, .link, .visited, .lang, .enabled,
        .disabled,
        .checked, .never,
        .anchor:
        return true
      case .matchesAny, .matchesNone: return simple.list.allSatisfy(isLocal)
      case .empty, .nthChild, .nthLastChild, .nthOfType, .nthLastOfType, .onlyChild, .onlyOfType, .directionLTR,
        .directionRTL, .has, .holdsOnly:
        return false
      }
    }
  }
}

// MARK: - Taking in a sheet

extension RuleSet {
  /// Appends the selectors of a sheet, with its names in place of its text.
  private mutating func add(_ sheet: Stylesheet) {
    let table = sheet.selectors
    let buffer = sheet.buffer
    let firstComplex = UInt32(complex.count)
    let firstCompound = UInt32(compounds.count)
    let firstSimple = UInt32(simples.count)
    let firstLanguage = UInt32(languageRanges.count)
    let namespaces = sheet.namespaces.map { $0.url.isEmpty ? Markup.Namespace.none : Markup.Namespace(uri: $0.url) }
    languageRanges += table.languageRanges.map { buffer.lowercased($0) }

    simples.reserveCapacity(simples.count + table.simples.count)
    for source in table.simples {
      let namespace: NamespaceTest =
        switch source.namespace {
        case .any: .any
        case .none: .exactly(.none)
        case .declared(let index): .exactly(namespaces[Int(index)])
        }
      let shift = source.kind == .lang ? firstLanguage : firstComplex
      var simple = Simple(
        kind: source.kind, match: source.match, ignoresCase: source.valueCase == .ignored, ignoresCaseInHTML: false,
        namespace: namespace, name: 0, foldedName: 0, a: source.a, b: source.b, value: 0..<0,
        list: source.list.lowerBound + shift..<source.list.upperBound + shift)
      switch source.kind {
      case .type:
        simple.name = names.intern(buffer.bytes(source.name))
        typeNames.append(simple.name)
      case .id, .className:
        simple.name = names.intern(buffer.bytes(source.name))
      case .attribute:
        simple.name = names.intern((Self.prefix(of: namespace) + buffer.bytes(source.name))[...])
        attributeNames.append(simple.name)
        simple.ignoresCaseInHTML =
          source.valueCase == .ofLanguage && namespace == .exactly(.none)
          && Self.attributesWithoutCase.contains(buffer.lowercased(source.name))
        let start = UInt32(values.count)
        values += buffer.bytes(source.value)
        simple.value = start..<UInt32(values.count)
      default: break
      }
      simple.foldedName = names.folded[safe: simple.name]
      simples.append(simple)
    }
    compounds.reserveCapacity(compounds.count + table.compounds.count)
    for source in table.compounds {
      compounds.append(
        Compound(
          simples: source.simples.lowerBound + firstSimple..<source.simples.upperBound + firstSimple,
          combinator: source.combinator))
    }
    complex.reserveCapacity(complex.count + table.complex.count)
    for source in table.complex {
      let range = source.compounds.lowerBound + firstCompound..<source.compounds.upperBound + firstCompound
      complex.append(
        Complex(
          compounds: range, pseudo: source.pseudo, specificity: source.specificity,
          looksAround: looksAround(range)))
    }
  }

  /// The names of compounds that stand for ancestors of the subject. An ancestor of a sibling is one.
  private func ancestorNames(_ range: Range<UInt32>) -> NameFilter {
    var filter = NameFilter()
    var isAncestor = false
    for index in range {
      let compound = compounds[Int(index)]
      if isAncestor {
        for simple in compound.simples {
          let simple = simples[Int(simple)]
          switch simple.kind {
          case .id: filter.insert(id: simple.foldedName)
          case .className: filter.insert(className: simple.foldedName)
          case .type: filter.insert(type: simple.foldedName)
          default: break
          }
        }
      }
      switch compound.combinator {
      case .child, .descendant: isAncestor = true
      case .nextSibling, .subsequentSibling: isAncestor = false
      case .none: break
      }
    }
    return filter
  }

  /// The selector has more than one compound, or functions in it that may have.
  private func looksAround(_ range: Range<UInt32>) -> Bool {
    if range.count > 1 { return true }
    return range.contains { index in
      compounds[Int(index)].simples.contains { simple in
        switch simples[Int(simple)].kind {
        case .matchesAny, .matchesNone, .has, .holdsOnly: true
        case .nthChild, .nthLastChild: !simples[Int(simple)].list.isEmpty
        default: false
        }
      }
    }
  }

  private static func distinct(_ names: [UInt32]) -> [UInt32] {
    let sorted = names.sorted()
    return sorted.indices.compactMap { $0 > 0 && sorted[$0 - 1] == sorted[$0] ? nil : sorted[$0] }
  }

  /// The prefix of attributes of a namespace in documents, whatever prefix its source used.
  private static func prefix(of namespace: NamespaceTest) -> [UInt8] {
    switch namespace {
    case .exactly(.epub): Array("epub:".utf8)
    case .exactly(.xml): Array("xml:".utf8)
    case .exactly(.xlink): Array("xlink:".utf8)
    default: []
    }
  }

  /// Attributes whose values are compared without case on HTML elements in HTML documents (HTML, section 4.16.2).
  private static let attributesWithoutCase: Set<String> = [
    "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear", "codetype", "color",
    "compact", "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang", "http-equiv",
    "lang", "language", "link", "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap", "readonly",
    "rel", "rev", "rules", "scope", "scrolling", "selected", "shape", "target", "text", "type", "valign", "valuetype",
    "vlink",
  ]
}

extension Array where Element == UInt32 {
  /// Zero for an index beyond the end.
  fileprivate subscript(safe index: UInt32) -> UInt32 { index < count ? self[Int(index)] : 0 }
}

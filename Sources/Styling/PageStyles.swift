package import CSS
import Primitives

/// Traits of a page that `@page` selectors ask for (CSS Paged Media 3, section 4.3).
package struct PageTraits: Hashable, Sendable {
  /// The named page, empty for `auto`.
  package var name = ""
  /// The first page of its document.
  package var isFirst = false
  /// A left-hand page; the others are right-hand ones.
  package var isLeft = false
  /// A page made by a forced break to the other side.
  package var isBlank = false
  /// The `:nth()` it fits, as bits in the order of `PageStyles.ordinals`.
  package var ordinals: UInt8 = 0

  package init(
    name: String = "", isFirst: Bool = false, isLeft: Bool = false, isBlank: Bool = false, ordinals: UInt8 = 0
  ) {
    self.name = name
    self.isFirst = isFirst
    self.isLeft = isLeft
    self.isBlank = isBlank
    self.ordinals = ordinals
  }
}

/// The sixteen page-margin boxes (CSS Paged Media 3, section 5.1), clockwise from the top left corner.
package enum PageMarginBox: UInt8, Hashable, Sendable, CaseIterable {
  case topLeftCorner, topLeft, topCenter, topRight, topRightCorner
  case rightTop, rightMiddle, rightBottom
  case bottomRightCorner, bottomRight, bottomCenter, bottomLeft, bottomLeftCorner
  case leftBottom, leftMiddle, leftTop

  /// The name of the at-rule.
  package var name: String {
    switch self {
    case .topLeftCorner: "top-left-corner"
    case .topLeft: "top-left"
    case .topCenter: "top-center"
    case .topRight: "top-right"
    case .topRightCorner: "top-right-corner"
    case .rightTop: "right-top"
    case .rightMiddle: "right-middle"
    case .rightBottom: "right-bottom"
    case .bottomRightCorner: "bottom-right-corner"
    case .bottomRight: "bottom-right"
    case .bottomCenter: "bottom-center"
    case .bottomLeft: "bottom-left"
    case .bottomLeftCorner: "bottom-left-corner"
    case .leftBottom: "left-bottom"
    case .leftMiddle: "left-middle"
    case .leftTop: "left-top"
    }
  }

  /// The `text-align` it starts with (section 5.3).
  var textAlign: TextAlign {
    switch self {
    case .topLeft, .bottomLeft, .topRightCorner, .bottomRightCorner: .left
    case .topRight, .bottomRight, .topLeftCorner, .bottomLeftCorner: .right
    default: .center
    }
  }
  /// The `vertical-align` it starts with (section 5.3).
  var verticalAlign: VerticalAlign {
    switch self {
    case .leftTop, .rightTop: .top
    case .leftBottom, .rightBottom: .bottom
    default: .middle
    }
  }
}

/// The computed style of pages of one kind.
package struct PageStyle: Sendable {
  package var size: PageSize
  /// Rules give the page a size of its own.
  package var hasOwnSize: Bool { if case .size = size { true } else { false } }
  /// `bleed`: the extent of the bleed area over the page's edges, in CSS px (CSS Paged Media 3, section 7.4).
  package var bleed: Float
  package var marks: PrinterMarks
  package var orientation: PageOrientation
  /// Of the page context: margins, borders, paddings, background. A margin that no rule speaks of is `auto`.
  package var style: ComputedStyle
  /// Margins that rules set to `auto`.
  package var hasAutoMargin = Sides(all: false)
  /// The margin boxes that generate content, in the order of `PageMarginBox`.
  package var marginBoxes: [(box: PageMarginBox, style: ComputedStyle)]
  /// The footnote area, nil when no `@footnote` rule speaks of it (CSS GCPM 3, section 2.4).
  package var footnoteArea: ComputedStyle?
}

/// The `@page` rules of a document, cascaded for every kind of page.
package struct PageStyles: Sendable {
  /// By page name, then ordinals, first, left, blank.
  private var styles: [PageStyle] = []
  /// Names that selectors use, the empty one first; pages of other names are like those without.
  private var names: [String] = []
  /// The `:nth()` that selectors use.
  private var ordinals: [Ordinal] = []

  /// A `:nth()` of a selector: without a name it counts the pages of the document, with one those of the page group.
  struct Ordinal: Hashable, Sendable {
    var ordinal: PageOrdinal
    var isOfGroup: Bool
  }

  package init() {}
  init(names: [String], ordinals: [Ordinal], style: (PageTraits) -> PageStyle) {
    self.names = names
    self.ordinals = ordinals
    for name in names {
      for kind in 0..<8 << ordinals.count {
        styles.append(
          style(
            PageTraits(
              name: name, isFirst: kind & 1 != 0, isLeft: kind & 2 != 0, isBlank: kind & 4 != 0,
              ordinals: UInt8(kind >> 3))))
      }
    }
  }

  /// The `:nth()` that a page fits, for `PageTraits.ordinals`.
  ///
  /// - Parameters:
  ///   - page: Its place among the pages of the document, from 1.
  ///   - inGroup: Its place among those of the same name right before it.
  package func ordinals(page: Int, inGroup: Int) -> UInt8 {
    var bits: UInt8 = 0
    for (index, entry) in ordinals.enumerated() where entry.ordinal.matches(entry.isOfGroup ? inGroup : page) {
      bits |= 1 << UInt8(index)
    }
    return bits
  }

  /// No rule is for pages.
  package var isEmpty: Bool { styles.isEmpty }
  /// All styles, in the order of the numbers `index(of:)` gives.
  package var all: [PageStyle] { styles }

  /// The place of a page's style in `all`, nil when there are no rules.
  package func index(of traits: PageTraits) -> Int? {
    guard !styles.isEmpty else { return nil }
    let name = names.firstIndex(of: traits.name) ?? 0
    return (name << ordinals.count | Int(traits.ordinals)) * 8 + (traits.isFirst ? 1 : 0) + (traits.isLeft ? 2 : 0)
      + (traits.isBlank ? 4 : 0)
  }
  package subscript(traits: PageTraits) -> PageStyle? { index(of: traits).map { styles[$0] } }

  /// The footnote area of pages without a name, or else of the first ones that have one.
  package var footnoteArea: ComputedStyle? { styles.lazy.compactMap(\.footnoteArea).first }
  package var hasMarginBoxes: Bool { styles.contains { !$0.marginBoxes.isEmpty } }
  /// The margin box shows how many pages the book has, or something of an element of it.
  package func refersToBook(_ table: StyleTable) -> Bool {
    styles.contains { style in
      style.marginBoxes.contains { box in
        guard case .items(let items) = table[box.style.box].content else { return false }
        return items.contains { item in
          switch item {
          case .counter(let name, _), .counters(let name, _, _): name == "pages"
          case .targetCounter, .targetCounters, .targetText: true
          default: false
          }
        }
      }
    }
  }

  /// The counters that pages have, whatever elements make: `page`, and those that page contexts set.
  package func counterNames(_ table: StyleTable) -> Set<String> {
    Set(counterOperations(table).map(\.name)).union(["page"])
  }

  /// Page contexts set counters.
  package func setsCounters(_ table: StyleTable) -> Bool { !counterOperations(table).isEmpty }

  private func counterOperations(_ table: StyleTable) -> [CounterOperation] {
    styles.flatMap { style in
      let box = table[style.style.box]
      return box.counterReset + box.counterIncrement + box.counterSet
    }
  }

  /// Left and right pages differ in size, insets, borders or background.
  package func dependsOnSide() -> Bool {
    styles.indices.contains {
      $0 & 2 == 0 && (styles[$0].size != styles[$0 + 2].size || styles[$0].style != styles[$0 + 2].style)
    }
  }
}

extension BreakBetween {
  /// The break asks for another page, whatever its side.
  package var asksForPage: Bool { self == .always || self == .all || self == .page || asksForSide }
  /// The break asks for a left-hand or right-hand page.
  package var asksForSide: Bool { self == .left || self == .right || self == .recto || self == .verso }
}

extension PageSelector {
  /// Conditions of the selector all hold.
  func matches(_ page: PageTraits, _ ordinals: [PageStyles.Ordinal]) -> Bool {
    (name.isEmpty || name == page.name) && (!isFirst || page.isFirst) && (!isBlank || page.isBlank)
      && (!isLeft || page.isLeft) && (!isRight || !page.isLeft) && matchesOrdinal(page, ordinals)
  }

  private func matchesOrdinal(_ page: PageTraits, _ ordinals: [PageStyles.Ordinal]) -> Bool {
    guard let ordinal else { return true }
    return ordinals.firstIndex(of: ordinal).map { page.ordinals & 1 << UInt8($0) != 0 } ?? false
  }

  var ordinal: PageStyles.Ordinal? { nth.map { PageStyles.Ordinal(ordinal: $0, isOfGroup: !name.isEmpty) } }
}

/// Cascades `@page` rules (CSS Paged Media 3, section 4.4).
struct PageStyleResolver {
  /// A rule in effect, in the order of appearance.
  struct Rule {
    var rule: PageRule
    /// In the cascade's sheets.
    var sheet: Int
    var origin: CascadeOrigin
    /// The rank of its layer.
    var layer: UInt8
  }
  /// Names of pages beyond these are not told apart.
  static let mostNames = 32
  /// Each doubles the kinds of pages; the rest match none.
  static let mostOrdinals = 4
  /// `bleed: auto` of pages with crop marks: 6 pt.
  static let autoBleed: Float = 8

  let rules: [Rule]
  /// The style that the page context inherits from: the root element.
  let root: ComputedStyle
  let custom: CustomProperties

  /// The names that selectors use, the empty one first.
  private var names: [String] {
    var names = [""]
    for rule in rules {
      for selector in rule.rule.selectors where names.count < Self.mostNames && !names.contains(selector.name) {
        names.append(selector.name)
      }
    }
    return names
  }

  /// The `:nth()` that selectors use.
  private var ordinals: [PageStyles.Ordinal] {
    var found: [PageStyles.Ordinal] = []
    for rule in rules {
      for case let ordinal? in rule.rule.selectors.map(\.ordinal) where found.count < Self.mostOrdinals {
        if !found.contains(ordinal) { found.append(ordinal) }
      }
    }
    return found
  }

  func styles(_ cascade: inout Cascade, _ builder: StyleBuilder) -> PageStyles {
    guard !rules.isEmpty else { return PageStyles() }
    func defaults(_ margin: PropertyValue) -> [TypedDeclaration] {
      [
        TypedDeclaration(.box(.marginTop), margin), TypedDeclaration(.box(.marginRight), margin),
        TypedDeclaration(.box(.marginBottom), margin), TypedDeclaration(.box(.marginLeft), margin),
        // Running heads of vertical books are horizontal unless the book says otherwise.
        TypedDeclaration(.paragraph(.writingMode), .keyword(WritingMode.horizontalTB.rawValue)),
      ]
    }
    let pageDefaults = cascade.appendHints(defaults(.margin(.auto)))
    let otherDefaults = cascade.appendHints(defaults(.margin(.length(.length(Length(0, .px))))))
    let boxDefaults = PageMarginBox.allCases.map { box in
      cascade.appendHints([
        TypedDeclaration(.paragraph(.textAlign), .keyword(box.textAlign.rawValue)),
        TypedDeclaration(.box(.verticalAlign), .verticalAlign(box.verticalAlign)),
      ])
    }
    let ordinals = ordinals
    // Most kinds of pages differ in nothing: their rules are the same.
    var known: [[Int]: PageStyle] = [:]
    return PageStyles(names: names, ordinals: ordinals) { page in
      let places = matching(page, ordinals)
      if let style = known[places] { return style }
      let matching = places.map { rules[$0] }
      cascade.blocks = [DeclarationBlock(hints: pageDefaults)]
      cascade.blocks += matching.map { cascade.block($0.sheet, $0.rule.declarations, $0.origin, layer: $0.layer) }
      let context = style(&cascade, builder, parent: root)
      var hasAutoMargin = Sides(all: false)
      if builder.table.boxes[context.box.index].margin.hasAuto {
        // Properties that are `auto` without being so by default were set so.
        cascade.blocks[0] = DeclarationBlock(hints: otherDefaults)
        let other = style(&cascade, builder, parent: root)
        let margin = builder.table.boxes[other.box.index].margin
        hasAutoMargin = Sides(
          top: margin.top == .auto, right: margin.right == .auto, bottom: margin.bottom == .auto,
          left: margin.left == .auto)
      }
      var own = PageDescriptors()
      // The reader's rules say what sheets there are, which rules of the book turn (section 7.1).
      var sheet: PageSize?
      for rule in matching {
        cascade.sheets[rule.sheet].add(rule.rule.declarations, to: &own)
        if rule.origin == .user { sheet = own.size }
      }
      if let sheet, let size = own.size { own.size = size.turning(sheet) }
      let marks = own.marks ?? []
      let bleed = own.bleed.flatMap { $0 < 0 ? nil : $0 } ?? (marks.contains(.crop) ? Self.autoBleed : 0)
      var boxes: [(PageMarginBox, ComputedStyle)] = []
      for (place, box) in PageMarginBox.allCases.enumerated() {
        cascade.blocks = [DeclarationBlock(hints: boxDefaults[place])]
        for rule in matching {
          for own in rule.rule.marginBoxes where own.name == box.name {
            cascade.blocks.append(cascade.block(rule.sheet, own.declarations, rule.origin, layer: rule.layer))
          }
        }
        guard cascade.blocks.count > 1 else { continue }
        let style = style(&cascade, builder, parent: context)
        if case .items = builder.table.boxes[style.box.index].content { boxes.append((box, style)) }
      }
      var area: ComputedStyle?
      cascade.blocks = matching.flatMap { rule in
        rule.rule.marginBoxes.filter { $0.name == "footnote" }
          .map { cascade.block(rule.sheet, $0.declarations, rule.origin, layer: rule.layer) }
      }
      if !cascade.blocks.isEmpty { area = style(&cascade, builder, parent: root) }
      let made = PageStyle(
        size: own.size ?? .auto, bleed: bleed, marks: marks,
        orientation: own.orientation ?? .upright, style: context, hasAutoMargin: hasAutoMargin,
        marginBoxes: boxes, footnoteArea: area)
      known[places] = made
      return made
    }
  }

  /// The places of the rules for a page, weakest first.
  private func matching(_ page: PageTraits, _ ordinals: [PageStyles.Ordinal]) -> [Int] {
    var found: [(rule: Rule, specificity: UInt32, order: Int)] = []
    for (order, rule) in rules.enumerated() {
      let selectors = rule.rule.selectors
      if selectors.isEmpty { found.append((rule, 0, order)) }
      if let weight = selectors.lazy.filter({ $0.matches(page, ordinals) }).map(\.specificity).max() {
        found.append((rule, weight, order))
      }
    }
    found.sort {
      ($0.rule.origin, $0.rule.layer, $0.specificity, $0.order)
        < ($1.rule.origin, $1.rule.layer, $1.specificity, $1.order)
    }
    return found.map(\.order)
  }

  private func style(_ cascade: inout Cascade, _ builder: StyleBuilder, parent: ComputedStyle) -> ComputedStyle {
    cascade.pseudo = .none
    builder.begin(parent: parent)
    cascade.apply(to: builder, custom: custom)
    builder.finish([])
    return builder.end()
  }
}

extension Sides<MarginValue> {
  fileprivate var hasAuto: Bool { top == .auto || right == .auto || bottom == .auto || left == .auto }
}

package import Primitives

/// The longhand properties, each in the enumeration of the style group it belongs to. Cases are named as in CSS, in camel
/// case; what a property is called, how it is read and what it starts as is said by its `row`.
package enum PropertyID: Hashable, Sendable, CaseIterable {
  case font(FontProperty)
  case paragraph(ParagraphProperty)
  case text(TextProperty)
  case list(ListProperty)
  case box(BoxProperty)
  case container(ContainerProperty)
  case grid(GridProperty)
  case effect(EffectProperty)
  case border(BorderProperty)
  case background(BackgroundProperty)
  case page(PageProperty)
  case rare(RareProperty)
  /// Mapped to a physical property before it competes in the cascade (CSS Logical Properties 1, section 4).
  case logical(LogicalProperty)

  /// The style groups of a computed style.
  package enum Group: UInt8, Sendable, CaseIterable {
    case font, paragraph, text, list, box, border, background, page

    /// Children take the values of the group when no declaration speaks of them.
    package var isInherited: Bool {
      switch self {
      case .font, .paragraph, .text, .list: true
      case .box, .border, .background, .page: false
      }
    }
  }

  package var group: Group {
    switch self {
    case .font: .font
    case .paragraph: .paragraph
    case .text: .text
    case .list: .list
    case .box, .container, .grid, .effect, .rare: .box
    case .border: .border
    case .background: .background
    case .page: .page
    case .logical(let property): property.physical(.horizontalTB, .ltr).group
    }
  }
  /// Children take the value when no declaration speaks of it.
  package var isInherited: Bool {
    switch self {
    case .font, .paragraph, .text, .list: true
    case .box, .container, .grid, .effect, .border, .background, .page, .rare, .logical: false
    }
  }
  package var isLogical: Bool { if case .logical = self { true } else { false } }

  /// A number below `slotCount` that no other property has. A cascade applies properties in the order of their slots:
  /// fonts, which lengths depend on, come first, and of them last `line-height`, whose lengths depend on the others.
  package var slot: Int {
    switch self {
    case .font(.lineHeight): Self.slot(0, Self.slotsPerKind - 1)
    case .font(let property): Self.slot(0, property.rawValue)
    case .paragraph(let property): Self.slot(1, property.rawValue)
    case .text(let property): Self.slot(2, property.rawValue)
    case .list(let property): Self.slot(3, property.rawValue)
    case .box(let property): Self.slot(4, property.rawValue)
    case .container(let property): Self.slot(5, property.rawValue)
    case .grid(let property): Self.slot(6, property.rawValue)
    case .effect(let property): Self.slot(7, property.rawValue)
    case .border(let property): Self.slot(8, property.rawValue)
    case .background(let property): Self.slot(9, property.rawValue)
    case .page(let property): Self.slot(10, property.rawValue)
    case .rare(let property): Self.slot(11, property.rawValue)
    case .logical(let property): Self.slot(12, property.rawValue)
    }
  }
  private static let slotsPerKind: UInt8 = 64
  package static let slotCount = 13 * Int(slotsPerKind)
  private static func slot(_ kind: Int, _ place: UInt8) -> Int { kind * Int(slotsPerKind) + Int(place) }

  package static let allCases: [PropertyID] =
    FontProperty.allCases.map(Self.font) + ParagraphProperty.allCases.map(Self.paragraph)
    + TextProperty.allCases.map(Self.text) + ListProperty.allCases.map(Self.list) + BoxProperty.allCases.map(Self.box)
    + ContainerProperty.allCases.map(Self.container) + GridProperty.allCases.map(Self.grid)
    + EffectProperty.allCases.map(Self.effect) + BorderProperty.allCases.map(Self.border)
    + BackgroundProperty.allCases.map(Self.background) + PageProperty.allCases.map(Self.page)
    + RareProperty.allCases.map(Self.rare) + LogicalProperty.allCases.map(Self.logical)

  /// The property's row in the table.
  package var row: PropertyRow {
    switch self {
    case .font(let property): property.row
    case .paragraph(let property): property.row
    case .text(let property): property.row
    case .list(let property): property.row
    case .box(let property): property.row
    case .container(let property): property.row
    case .grid(let property): property.row
    case .effect(let property): property.row
    case .border(let property): property.row
    case .background(let property): property.row
    case .page(let property): property.row
    case .rare(let property): property.row
    case .logical(let property): property.row
    }
  }
  /// The CSS name.
  package var name: String { row.name.description }

  /// The physical property a logical one stands for; any other is its own.
  package func physical(_ mode: WritingMode, _ direction: TextDirection) -> PropertyID {
    if case .logical(let property) = self { property.physical(mode, direction) } else { self }
  }
}

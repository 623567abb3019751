import CSS
import Primitives

/// Gives equal groups one id, in order of first appearance.
struct GroupInterner<Value: Hashable & Sendable>: Sendable {
  private var positions = OpenTable()

  init(initial: Value) { positions.append(Self.hash(initial)) }

  private static func hash(_ value: Value) -> UInt64 { UInt64(truncatingIfNeeded: value.hashValue) }

  mutating func intern(_ value: Value, into values: inout [Value]) -> UInt32 {
    let hash = Self.hash(value)
    if let known = positions.position(of: hash, where: { values[$0] == value }) { return UInt32(known) }
    values.append(value)
    positions.append(hash)
    return UInt32(values.count - 1)
  }
}

/// A `StyleTable` being filled.
struct StyleInterner: Sendable {
  /// With the initial values only.
  static let initial = StyleInterner()

  private(set) var table = StyleTable()
  private var fonts = GroupInterner(initial: FontStyle())
  private var texts = GroupInterner(initial: TextStyle())
  private var paragraphs = GroupInterner(initial: ParagraphStyle())
  private var lists = GroupInterner(initial: ListStyle())
  private var boxes = GroupInterner(initial: BoxStyle())
  private var borders = GroupInterner(initial: BorderGroup())
  private var backgrounds = GroupInterner(initial: BackgroundGroup())
  private var pages = GroupInterner(initial: PageGroup())
  private var calculations: [Calculation: UInt32] = [:]

  private init() {}

  mutating func intern(_ group: FontStyle) -> Identifier<FontStyleTag> {
    .init(rawValue: fonts.intern(group, into: &table.fonts))
  }
  mutating func intern(_ group: TextStyle) -> Identifier<TextStyleTag> {
    .init(rawValue: texts.intern(group, into: &table.texts))
  }
  mutating func intern(_ group: ParagraphStyle) -> Identifier<ParagraphStyleTag> {
    .init(rawValue: paragraphs.intern(group, into: &table.paragraphs))
  }
  mutating func intern(_ group: ListStyle) -> Identifier<ListStyleTag> {
    .init(rawValue: lists.intern(group, into: &table.lists))
  }
  mutating func intern(_ group: BoxStyle) -> Identifier<BoxStyleTag> {
    .init(rawValue: boxes.intern(group, into: &table.boxes))
  }
  mutating func intern(_ group: BorderGroup) -> Identifier<BorderStyleTag> {
    .init(rawValue: borders.intern(group, into: &table.borders))
  }
  mutating func intern(_ group: BackgroundGroup) -> Identifier<BackgroundStyleTag> {
    .init(rawValue: backgrounds.intern(group, into: &table.backgrounds))
  }
  mutating func intern(_ group: PageGroup) -> Identifier<PageStyleTag> {
    .init(rawValue: pages.intern(group, into: &table.pages))
  }

  /// A length-percentage of a sum or extreme; one that came down to a single length needs no id.
  mutating func intern(_ calculation: Calculation) -> LengthPercentage {
    if case .length(let length) = calculation { return .length(length) }
    let next = UInt32(table.calculations.count)
    let id = calculations[calculation] ?? next
    if id == next {
      calculations[calculation] = id
      table.calculations.append(calculation)
    }
    return .calculation(CalcID(rawValue: id))
  }
}

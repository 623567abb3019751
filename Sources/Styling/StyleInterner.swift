import CSS
import Primitives

/// Gives equal groups one id, in order of first appearance. Open addressing over a table at most half full; a slot holds an
/// id plus one and half of the value's hash, so values are compared only when those agree.
struct GroupInterner<Value: Hashable & Sendable>: Sendable {
  private var slots = [UInt64](repeating: 0, count: 64)

  init(initial: Value) { insert(initial, id: 0) }

  mutating func intern(_ value: Value, into values: inout [Value]) -> UInt32 {
    let hash = UInt64(truncatingIfNeeded: value.hashValue)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry >> 32 == hash >> 32, values[Int(entry & 0xFFFF_FFFF) - 1] == value {
        return UInt32(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1
      }
      slot = (slot + 1) & mask
    }
    values.append(value)
    if values.count * 2 > slots.count {
      slots = [UInt64](repeating: 0, count: slots.count * 2)
      for (id, value) in values.enumerated() { insert(value, id: id) }
    } else {
      insert(value, id: values.count - 1)
    }
    return UInt32(values.count - 1)
  }

  private mutating func insert(_ value: Value, id: Int) {
    let hash = UInt64(truncatingIfNeeded: value.hashValue)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(id + 1)
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

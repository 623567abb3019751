package import Markup
import Platform
package import Primitives
import Synchronization

/// A chapter's document with the text before each of its nodes counted.
package final class ChapterSource: Sendable {
  package let document: Document
  /// By node: UTF-16 units of all text nodes before it; one entry more than nodes.
  private let unitsBefore: [UInt32]
  /// The elements that fragments lead to, once they are asked for.
  private let places = Lock<[String: NodeID]?>(nil)

  package init(_ document: Document) {
    self.document = document
    var before: [UInt32] = []
    before.reserveCapacity(document.nodes.count + 1)
    var total: UInt32 = 0
    for node in document.nodes {
      before.append(total)
      if node.kind == .text { total &+= Self.utf16Count(document.bytes(node.range)) }
    }
    before.append(total)
    unitsBefore = before
  }

  /// UTF-16 units of UTF-8 bytes: one for each sequence, two for those of four bytes.
  private static func utf16Count(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var count: UInt32 = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count &+= byte >= 0xF0 ? 2 : 1 }
    return count
  }

  /// UTF-16 units of the whole text.
  var length: Int { Int(unitsBefore[unitsBefore.count - 1]) }

  /// About the memory it takes, in bytes.
  var byteCount: Int {
    document.text.count + document.nodes.count * (MemoryLayout<Node>.stride + 4)
      + document.attributes.count * MemoryLayout<Attribute>.stride
  }

  package func contains(_ node: NodeID) -> Bool { node.index < document.nodes.count }

  /// UTF-16 units before a node.
  package func units(before node: NodeID) -> Int { Int(unitsBefore[node.index]) }

  /// UTF-16 units before a place.
  func units(before position: SourcePosition) -> Int {
    let node = Swift.min(position.node.index, document.nodes.count)
    guard node < document.nodes.count, document.nodes[node].kind == .text else { return Int(unitsBefore[node]) }
    return Swift.min(Int(unitsBefore[node]) + position.offset, Int(unitsBefore[node + 1]))
  }

  /// The place after so many UTF-16 units: in the text node that holds the next unit.
  func position(afterUnits units: Int) -> SourcePosition {
    var low = 0
    var high = document.nodes.count
    while low < high {
      let middle = (low + high) / 2
      if Int(unitsBefore[middle + 1]) <= units { low = middle + 1 } else { high = middle }
    }
    guard low < document.nodes.count else {
      guard let last = document.nodes.lastIndex(where: { $0.kind == .text }) else {
        return SourcePosition(node: NodeID(0), offset: 0)
      }
      return SourcePosition(node: NodeID(last), offset: length(of: NodeID(last)))
    }
    return SourcePosition(node: NodeID(low), offset: units - Int(unitsBefore[low]))
  }

  /// UTF-16 units of the text in a node.
  func length(of node: NodeID) -> Int {
    let end = document[node].kind == .text ? node.index + 1 : document[node].subtreeEnd.index
    return Int(unitsBefore[Swift.min(end, document.nodes.count)]) - Int(unitsBefore[node.index])
  }

  func progression(at position: SourcePosition) -> Double {
    length == 0 ? 0 : Double(units(before: position)) / Double(length)
  }

  /// The element that a fragment leads to.
  func element(fragment: String) -> NodeID? {
    places.withLock { places in
      let known = places ?? document.elementsByFragment()
      places = known
      return known[fragment]
    }
  }

  /// The text around a place as it is read, white space collapsed.
  func quote(at position: SourcePosition) -> TextQuote {
    let units = units(before: position)
    let reach = TextQuote.length * 8
    let before = text(from: units - reach, to: units, asRead: true).filter { $0 != QuoteText.unread }
    let after = text(from: units, to: units + reach, asRead: true).filter { $0 != QuoteText.unread }
    return TextQuote(
      before: QuoteText.end(of: before),
      after: QuoteText.start(of: after))
  }

  /// The text of an element is no part of what is read on: of the head, of scripts, beside the base of ruby.
  private func isUnread(_ node: Node) -> Bool {
    guard node.kind == .element else { return false }
    let name = node.name
    return name == .rt || name == .rp || name == .rtc || name == .head || name == .script || name == .style
  }

  /// UTF-16 units of the document's text.
  ///
  /// - Parameter asRead: `true` if soft hyphens stand for what is not read on.
  func text(from start: Int, to end: Int, asRead: Bool = false) -> [UInt16] {
    let start = Swift.max(0, start)
    let end = Swift.min(length, end)
    guard start < end else { return [] }
    var result: [UInt16] = []
    var index = position(afterUnits: start).node.index
    /// The first node behind the part that is not read.
    var unreadEnd = 0
    var ancestor = asRead ? document.nodes[index].parent : .none
    while !ancestor.isNone {
      let node = document[ancestor]
      if isUnread(node) { unreadEnd = node.subtreeEnd.index }
      ancestor = node.parent
    }
    while index < document.nodes.count, Int(unitsBefore[index]) < end {
      let node = document.nodes[index]
      if asRead, index >= unreadEnd, isUnread(node) { unreadEnd = node.subtreeEnd.index }
      if node.kind == .text {
        let units = Array(String(decoding: document.bytes(document.nodes[index].range), as: UTF8.self).utf16)
        let first = Swift.max(0, start - Int(unitsBefore[index]))
        let last = Swift.min(units.count, end - Int(unitsBefore[index]))
        if first < last {
          if index < unreadEnd {
            result += repeatElement(QuoteText.unread, count: last - first)
          } else {
            result += units[first..<last]
          }
        }
      }
      index += 1
    }
    return result
  }
}

/// Text without regard to white space, to compare quotes.
enum QuoteText {
  /// Soft hyphens are not read.
  static let unread: UInt16 = 0xAD
  static func isSpace(_ unit: UInt16) -> Bool {
    unit == 0x20 || unit >= 0x09 && unit <= 0x0D || unit == 0xA0 || unit == 0x3000 || unit == 0xAD
  }
  static func collapsed(_ units: [UInt16]) -> [UInt16] {
    var result: [UInt16] = []
    for unit in units {
      if unit == 0x20 || unit >= 0x09 && unit <= 0x0D {
        if result.last != 0x20 { result.append(0x20) }
      } else {
        result.append(unit)
      }
    }
    return result
  }
  /// The last units of a text, white space collapsed, surrogate pairs kept whole.
  static func end(of units: [UInt16]) -> String {
    var part = collapsed(units).suffix(TextQuote.length)
    if let first = part.first, UTF16.isTrailSurrogate(first) { part.removeFirst() }
    return String(utf16: part)
  }
  /// The first units of a text.
  static func start(of units: [UInt16]) -> String {
    var part = collapsed(units).prefix(TextQuote.length)
    if let last = part.last, UTF16.isLeadSurrogate(last) { part.removeLast() }
    return String(utf16: part)
  }
  static func stripped(_ text: String) -> [UInt16] { text.utf16.filter { !isSpace($0) } }

  /// A unit without regard to case: pages may show text in capitals that the document has not.
  static func folded(_ unit: UInt16) -> UInt16 {
    guard unit >= 0x80 else { return unit >= 0x41 && unit <= 0x5A ? unit | 0x20 : unit }
    // The scripts that have case.
    guard unit <= 0x587 || unit >= 0x10A0 && unit <= 0x1FFF, let scalar = Unicode.Scalar(unit) else { return unit }
    let lower = scalar.properties.lowercaseMapping.utf16
    return lower.count == 1 ? lower[lower.startIndex] : unit
  }
}

extension TextQuote {
  /// The two quotes may be of one place. White space and case count for nothing, and the more white space was counted
  /// when a quote was cut to its length, the less of the text it holds: the shorter one has to be part of the longer
  /// one. Much text on one side is enough: on the other one there may be what only the page shows, or only the
  /// document.
  func agrees(with other: TextQuote) -> Bool {
    /// Units that both texts have; nil when they differ.
    func common(_ a: [UInt16], _ b: [UInt16]) -> Int? {
      let (short, long) = a.count < b.count ? (a, b) : (b, a)
      // Less than this is the beginning or end of a text, which the other one is not at.
      return short.count >= Swift.min(8, long.count) && long.starts(with: short) ? short.count : nil
    }
    func compared(_ text: String) -> [UInt16] { QuoteText.stripped(text).map(QuoteText.folded) }
    let left = common(compared(before).reversed(), compared(other.before).reversed())
    let right = common(compared(after), compared(other.after))
    return left != nil && right != nil || Swift.max(left ?? 0, right ?? 0) >= 16
  }
}

/// The documents of a book that were looked at last, within a bound of memory.
final class ChapterSources: Sendable {
  private struct State {
    /// The one used last comes last.
    var sources: [(chapter: Int, source: ChapterSource)] = []
    var bytes = 0
    /// Those of a page of HTML, once they are asked for.
    var headings: [Book.ContentsEntry]?
  }
  private let state = Lock(State())
  /// Bytes.
  private let capacity: Int

  init(capacity: Int = 16 << 20) { self.capacity = capacity }

  /// About the memory they take.
  var byteCount: Int { state.withLock(\.bytes) }

  func removeAll() { state.withLock { $0 = State() } }

  func headings(make: () -> [Book.ContentsEntry]) -> [Book.ContentsEntry] {
    if let known = state.withLock(\.headings) { return known }
    let made = make()
    state.withLock { $0.headings = made }
    return made
  }

  func source(of chapter: Int, make: () -> ChapterSource) -> ChapterSource {
    let known: ChapterSource? = state.withLock { state in
      guard let index = state.sources.firstIndex(where: { $0.chapter == chapter }) else { return nil }
      let entry = state.sources.remove(at: index)
      state.sources.append(entry)
      return entry.source
    }
    if let known { return known }
    let made = make()
    state.withLock { state in
      guard !state.sources.contains(where: { $0.chapter == chapter }) else { return }
      state.sources.append((chapter, made))
      state.bytes += made.byteCount
      while state.bytes > capacity, state.sources.count > 1 {
        state.bytes -= state.sources.removeFirst().source.byteCount
      }
    }
    return made
  }
}

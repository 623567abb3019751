import CSS
import Markup
import Primitives
import Styling

/// What a box is in a ruby container (CSS Ruby 1, section 2.1), before anonymous boxes are made.
enum RubyPart: UInt8 {
  /// Text, inline boxes and all that becomes inline: a part of an anonymous base or annotation.
  case content
  /// Text of white space only.
  case space
  case base, annotation, baseContainer, annotationContainer
}

extension Display {
  /// The part of a ruby that an element of this display is; nil for all others.
  var rubyPart: RubyPart? {
    switch self {
    case .rubyBase: .base
    case .rubyText: .annotation
    case .rubyBaseContainer: .baseContainer
    case .rubyTextContainer: .annotationContainer
    default: nil
    }
  }
}

/// A node of the document or a pseudo-element, whose box is still to be generated.
struct BoxSource {
  var node: NodeID
  var pseudo: PseudoElement?
  var style: ComputedStyle
}

/// A base or annotation.
struct RubyUnit {
  /// The element, or what an anonymous one holds.
  var sources: [BoxSource]
  var isAnonymous = false
  /// White space between two others, which is paired with such white space only (CSS Ruby 1, section 2.3).
  var isSpace = false
}

/// A base container or annotation container.
struct RubyLevel {
  /// nil for an anonymous one.
  var container: BoxSource?
  var units: [RubyUnit] = []
  /// One annotation that spans all bases: text that stands in the container itself (CSS Ruby 1, section 2.3.2).
  var isSpanning: Bool { container != nil && units.count == 1 && units[0].isAnonymous }
}

/// A ruby segment (CSS Ruby 1, section 2.3.1): bases and the levels of their annotations.
struct RubySegment {
  var bases = RubyLevel()
  var annotations: [RubyLevel] = []
  var isEmpty: Bool { bases.container == nil && bases.units.isEmpty && annotations.isEmpty }

  /// A base and its annotation of each level, or the white space between two of them.
  struct Column {
    var base: RubyUnit?
    /// By index of `annotations`; nil where a level has none.
    var annotations: [RubyUnit?]
  }

  /// The pairs of the levels that are not spanning.
  var columns: [Column] {
    let levels = [bases.units] + annotations.map { $0.isSpanning ? [] : $0.units }
    var next = [Int](repeating: 0, count: levels.count)
    var columns: [Column] = []
    while true {
      let heads = levels.indices.map { next[$0] < levels[$0].count ? levels[$0][next[$0]] : nil }
      guard heads.contains(where: { $0 != nil }) else { return columns }
      // White space pairs with white space: the other levels wait.
      let isSpace = heads.contains { $0?.isSpace == true }
      let taken = heads.map { isSpace && $0?.isSpace != true ? nil : $0 }
      for level in taken.indices where taken[level] != nil { next[level] += 1 }
      columns.append(Column(base: taken[0], annotations: Array(taken[1...])))
    }
  }
}

/// Consecutive text, inline boxes and white space between the parts of a ruby.
private struct LooseContent {
  private var sources: [BoxSource] = []
  private var spacesAtEnd = 0
  private(set) var hasContent = false
  var isEmpty: Bool { sources.isEmpty }

  mutating func add(_ source: BoxSource, isSpace: Bool) {
    sources.append(source)
    spacesAtEnd = isSpace ? spacesAtEnd + 1 : 0
    if !isSpace { hasContent = true }
  }

  /// Takes the content as an anonymous unit. White space at the ends of the container is no part of it.
  mutating func take(atEnd: Bool) -> RubyUnit {
    defer { self = LooseContent() }
    if atEnd { sources.removeLast(spacesAtEnd) }
    return RubyUnit(sources: sources, isAnonymous: true, isSpace: !hasContent)
  }
}

/// Makes the anonymous boxes of a ruby container, and divides it into segments (CSS Ruby 1, sections 2.2 and 2.3).
struct RubySegmentation {
  private(set) var segments: [RubySegment] = []
  private var segment = RubySegment()
  /// The last level of annotations is an anonymous container, which takes further annotations.
  private var takesAnnotations = false
  private var loose = LooseContent()
  /// The part before the loose content; nil at the start of the container.
  private var previous: RubyPart?

  /// Adds a child of the ruby container.
  ///
  /// - Parameter units: Those of a base container or annotation container.
  mutating func add(_ part: RubyPart, _ source: BoxSource, units: [RubyUnit] = []) {
    switch part {
    case .space where previous == nil && loose.isEmpty: return
    case .space, .content: return loose.add(source, isSpace: part == .space)
    default: endLoose(before: part)
    }
    switch part {
    case .content, .space: break
    case .base: addBase(RubyUnit(sources: [source]))
    case .baseContainer:
      endSegment()
      segment.bases = RubyLevel(container: source, units: units)
    case .annotation:
      if !takesAnnotations { segment.annotations.append(RubyLevel()) }
      takesAnnotations = true
      segment.annotations[segment.annotations.count - 1].units.append(RubyUnit(sources: [source]))
    case .annotationContainer:
      segment.annotations.append(RubyLevel(container: source, units: units))
      takesAnnotations = false
    }
    previous = part
  }

  /// Ends the container.
  mutating func finish() {
    endLoose(before: nil)
    endSegment()
  }

  private mutating func endLoose(before next: RubyPart?) {
    guard !loose.isEmpty else { return }
    let unit = loose.take(atEnd: next == nil)
    guard unit.isSpace else {
      addBase(unit)
      previous = .base
      return
    }
    switch (previous, next) {
    case (nil, _), (_, nil), (_, .annotationContainer?): break
    case (.base?, .base?): segment.bases.units.append(unit)
    case (.annotation?, .annotation?): segment.annotations[segment.annotations.count - 1].units.append(unit)
    case (_, .annotation?): break
    default:
      // White space between segments is a segment of its own.
      endSegment()
      segment.bases.units.append(unit)
      endSegment()
    }
  }

  private mutating func addBase(_ unit: RubyUnit) {
    if !segment.annotations.isEmpty || segment.bases.container != nil { endSegment() }
    segment.bases.units.append(unit)
  }

  private mutating func endSegment() {
    if !segment.isEmpty { segments.append(segment) }
    segment = RubySegment()
    takesAnnotations = false
  }

  /// The units of a base container or annotation container.
  ///
  /// - Parameters:
  ///   - children: Its children.
  ///   - own: The part that is a unit there; all others are content.
  static func units(_ children: [(part: RubyPart, source: BoxSource)], own: RubyPart) -> [RubyUnit] {
    var units: [RubyUnit] = []
    var loose = LooseContent()
    for (part, source) in children {
      if part == own {
        if !loose.isEmpty { units.append(loose.take(atEnd: false)) }
        units.append(RubyUnit(sources: [source]))
      } else if part != .space || !units.isEmpty || !loose.isEmpty {
        loose.add(source, isSpace: part == .space)
      }
    }
    if loose.hasContent { units.append(loose.take(atEnd: true)) }
    return units
  }
}

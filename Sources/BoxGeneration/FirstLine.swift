import CSS
import Primitives
import Styling
import Text

/// A block container whose first line has a style of its own and has not come yet.
struct PendingFirstLine {
  var base: ComputedStyle
  var style: ComputedStyle
}

/// `::first-line` (CSS Pseudo-elements 4, section 2.1): where the line ends is known only to layout, so the whole text is kept
/// a second time with the attributes it has on the first line.
extension BoxGenerator {
  /// Gives a text that has just been finished the attributes of the first line, if it holds that line.
  mutating func makeFirstLine(of text: TextID, container: BoxID) {
    guard let pending = firstLine, !store.texts[text.index].units.isEmpty else { return }
    firstLine = nil
    let base = attributes.attributes(of: pending.base, decorations: 0)
    let style = attributes.attributes(of: pending.style, decorations: 0)
    let decoration =
      boxTraits[pending.style.box.index].hasDecoration ? makeDecoration(pending.style, box: container) : nil
    var copy = store.texts[text.index]
    let start = store.runs.count
    var lastKey = AttributeID.none
    var last = AttributeID.none
    for index in copy.runs {
      var run = store.runs[index]
      if run.attributes != lastKey {
        lastKey = run.attributes
        last = attributes.onFirstLine(lastKey, base: base, firstLine: style, decoration: decoration)
      }
      run.attributes = last
      store.runs.append(run)
    }
    copy.runs = start..<store.runs.count
    store.texts.append(copy)
    store.texts[text.index].firstLine = TextID(store.texts.count - 1)
  }
}

extension AttributeResolver {
  /// The attributes of text on a first line: what the text has from its block, it has from the first line instead; what an
  /// element inside declares stays.
  mutating func onFirstLine(
    _ id: AttributeID, base: AttributeID, firstLine: AttributeID, decoration: TextDecoration?
  ) -> AttributeID {
    func choose<Value: Equatable>(_ own: Value, _ base: Value, _ firstLine: Value) -> Value {
      own == base ? firstLine : own
    }
    var own = table[id]
    let block = table[base]
    let line = table[firstLine]
    own.color = choose(own.color, block.color, line.color)
    own.emphasis = choose(own.emphasis, block.emphasis, line.emphasis)
    own.shadows = choose(own.shadows, block.shadows, line.shadows)
    own.isVisible = choose(own.isVisible, block.isVisible, line.isVisible)
    if let decoration { own.decorations = decorations(own.decorations, adding: decoration) }

    var shaping = table[own.shaping]
    let blockShaping = table[block.shaping]
    let lineShaping = table[line.shaping]
    func take<Value: Equatable>(_ field: WritableKeyPath<ShapingAttributes, Value>) {
      if shaping[keyPath: field] == blockShaping[keyPath: field] {
        shaping[keyPath: field] = lineShaping[keyPath: field]
      }
    }
    take(\.letterSpacing)
    take(\.wordSpacing)
    take(\.wordBreak)
    take(\.overflowWrap)
    take(\.lineBreak)
    take(\.hyphens)
    take(\.autospace)
    take(\.spacingTrim)
    if shaping.font != blockShaping.font {
      let inside = table[shaping.font]
      let outside = table[blockShaping.font]
      var request = table[lineShaping.font]
      func keep<Value: Equatable>(_ field: WritableKeyPath<FontRequest, Value>) {
        if inside[keyPath: field] != outside[keyPath: field] { request[keyPath: field] = inside[keyPath: field] }
      }
      keep(\.description.families)
      keep(\.description.weight)
      keep(\.description.slant)
      keep(\.description.stretch)
      keep(\.description.variations)
      keep(\.size)
      keep(\.caps)
      keep(\.features)
      shaping.font = fontRequest(request)
    } else {
      shaping.font = lineShaping.font
    }
    own.shaping = internShaping(shaping)
    return intern(own)
  }
}

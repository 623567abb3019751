import BoxGeneration
import CSS
import Primitives
import Styling
import Text

/// The boxes around a text, block containers and inline boxes, as far as its lines depend on them.
extension LayoutContext {
  /// The text of `container` stands in a box whose end is seen, before that of the page: a background or a border ends
  /// there, what reaches over it is cut off, or other lines stand beside it.
  func isInVisibleBox(_ container: BoxID) -> Bool {
    guard settings.deviations.shrinksWideTables else { return false }
    var box = container
    while !box.isNone {
      let value = tree.boxes[box.index]
      // Those of the root and the body are the page's.
      guard !value.parent.isNone, value.parent != BoxTree.root else { return false }
      if value.flags.contains(.float) { return true }
      if value.style.border.index != 0 || value.style.background.index != 0 || value.style.box.index != 0,
        isVisible(box, value.style)
      {
        return true
      }
      box = value.parent
    }
    return false
  }

  private func isVisible(_ box: BoxID, _ style: ComputedStyle) -> Bool {
    if styles.boxes[style.box.index].overflowX != .visible { return true }
    if style.background.index != 0 {
      let background = styles.backgrounds[style.background.index]
      if background.color != .color(.transparent) || !background.layers.isEmpty { return true }
    }
    guard style.border.index != 0 else { return false }
    let edges = borders(of: box)
    return edges.lineLeft > .zero && edges.lineRight > .zero
  }

  /// The box that `box` is the beginning of, if its first line is that one's first line, too.
  func boxBegun(by box: BoxID) -> BoxID? {
    let value = tree.boxes[box.index]
    guard !value.parent.isNone, value.kind == .block,
      !value.flags.contains(.float), !value.flags.contains(.outOfFlow), !value.flags.contains(.atomicInline),
      firstInFlowChild(of: value.parent) == box, tree.boxes[value.parent.index].kind == .block
    else { return nil }
    return value.parent
  }

  /// The marker of a list item stands beside the first line of a text.
  func beginsListItem(_ container: BoxID) -> Bool {
    var box = container
    var steps = 0
    while steps < Self.mostBoxesBegun {
      if !tree.boxes[box.index].marker.isNone { return true }
      guard let outer = boxBegun(by: box) else { return false }
      box = outer
      steps += 1
    }
    return false
  }

  /// The box begins with a text, whose first line is its own.
  func beginsWithLine(_ box: BoxID) -> Bool {
    var inner = box
    for _ in 0..<Self.mostBoxesBegun {
      let value = tree.boxes[inner.index]
      if value.content == .text { return hasLines(value.text) }
      let child = firstInFlowChild(of: inner)
      guard !child.isNone, boxBegun(by: child) == inner else { return false }
      inner = child
    }
    return false
  }

  /// Boxes that are looked at around a first line.
  static let mostBoxesBegun = 500

  /// The box that the content after the run at `index` is in, when nothing more is known: the nearest run before that names a
  /// box tells.
  ///
  /// - Complexity: O(runs back to the last one with a box).
  func innermostInline(before index: Int, from start: Int, container: BoxID) -> BoxID {
    var index = index - 1
    while index >= start {
      let run = tree.texts.runs[index]
      switch run.kind {
      case .open, .openRuby: return run.box
      case .close, .closeRuby, .object, .float, .positioned:
        return run.box.isNone ? container : inlineParent(of: run.box, container: container)
      case .text, .lineBreak, .bidiControl, .marker: index -= 1
      }
    }
    return container
  }

  /// The inline box around a box, or the container.
  func inlineParent(of box: BoxID, container: BoxID) -> BoxID {
    let parent = tree.boxes[box.index].parent
    guard !parent.isNone else { return container }
    let kind = tree.boxes[parent.index].kind
    return kind == .inline || kind == .rubyBase ? parent : container
  }
}

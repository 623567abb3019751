import Primitives

/// Finished parts of a page that are made smaller, turned, or laid on their side.
extension PageBuilder {
  /// Makes a fragment with all it holds smaller or larger, from its block-start and line-left corner.
  func scale(_ root: FragmentID, by factor: Double) {
    change(root) { $0.size = $0.size.scaled(by: factor) }
    scaleContent(of: root, by: factor)
    var child = self[root].firstChild
    while !child.isNone {
      change(child) { $0.offset = $0.offset.scaled(by: factor) }
      scale(child, by: factor)
      child = self[child].nextSibling
    }
  }

  /// Makes all that was added since a savepoint smaller.
  func scale(since point: Savepoint, by factor: Double) {
    for index in point.fragments.count..<fragments.count {
      let id = FragmentID(index)
      change(id) {
        $0.offset = $0.offset.scaled(by: factor)
        $0.size = $0.size.scaled(by: factor)
      }
      scaleContent(of: id, by: factor)
      guard self[id].kind == .box || self[id].kind == .inlineBox else {
        if self[id].kind == .text { change(textOf: id) { $0.scale *= Float(factor) } }
        continue
      }
      change(geometryOf: id) {
        $0.border = $0.border.scaled(by: factor, least: LayoutUnit(1))
        $0.padding = $0.padding.scaled(by: factor)
        $0.relativeShift = $0.relativeShift.scaled(by: factor)
      }
    }
    for index in point.collapsedBorders.count..<collapsedBorders.count {
      change(collapsedBorder: index) { $0.scale(by: factor) }
    }
  }

  /// Scales what a fragment shows of itself; the widths around boxes stay.
  private func scaleContent(of id: FragmentID, by factor: Double) {
    switch self[id].kind {
    case .line:
      change(lineOf: id) {
        $0.baseline = $0.baseline * factor
        $0.contentOffset = $0.contentOffset * factor
        $0.contentWidth = $0.contentWidth * factor
      }
    case .text:
      change(textOf: id) {
        $0.size *= Float(factor)
        $0.baseline = $0.baseline * factor
        $0.stretchShift = $0.stretchShift * factor
        $0.annotationReach = $0.annotationReach * factor
      }
      for glyph in text(of: id).glyphs {
        change(glyph: Int(glyph)) {
          $0.x = $0.x * factor
          $0.y = $0.y * factor
        }
      }
      for cluster in text(of: id).clusters {
        change(cluster: Int(cluster)) {
          $0.left = $0.left * factor
          $0.right = $0.right * factor
        }
      }
    case .box, .inlineBox: break
    }
  }

  /// Marks all that was added since a savepoint as part of a rotated table.
  func markRotated(since point: Savepoint) {
    for index in point.fragments.count..<fragments.count {
      let id = FragmentID(index)
      change(id) { $0.flags.insert(.rotated) }
      switch self[id].kind {
      case .line: change(lineOf: id) { $0.writingMode = .sidewaysLR }
      case .text: change(textOf: id) { $0.isSideways = true }
      case .box, .inlineBox: break
      }
    }
  }

  /// Records what sticks out of a box along its lines.
  func recordInlineOverflow(of root: FragmentID) {
    let end = self[root].size.inline + .epsilon
    var open = [(id: root, inline: LayoutUnit.zero)]
    while let (id, inline) = open.popLast() {
      var child = self[id].firstChild
      while !child.isNone {
        let fragment = self[child]
        let start = inline + fragment.offset.inline
        if start < -.epsilon || start + fragment.size.inline > end {
          insert(.overflows, into: child)
        } else if fragment.kind == .box {
          open.append((child, start))
        }
        child = fragment.nextSibling
      }
    }
  }

  /// Brings a finished box with all it holds from one writing mode's coordinates into another's.
  func turn(_ root: FragmentID, from own: WritingMode, to outer: WritingMode) {
    var open = [(id: root, size: self[root].size)]
    change(root) { $0.size = outer.logical(own.physical($0.size)) }
    while let (id, size) = open.popLast() {
      let area = Rect(own.physical(size))
      let fragment = self[id]
      if fragment.kind == .box || fragment.kind == .inlineBox {
        change(geometryOf: id) { $0 = $0.turned(from: own, to: outer) }
        for border in geometry(of: id).collapsedBorders {
          change(collapsedBorder: Int(border)) {
            $0.rect = outer.logical(own.physical($0.rect, in: area), in: area)
            if own.isHorizontal != outer.isHorizontal { $0.isInlineAxis.toggle() }
          }
        }
      }
      var child = fragment.firstChild
      while !child.isNone {
        let value = self[child]
        let place = outer.logical(own.physical(LogicalRect(offset: value.offset, size: value.size), in: area), in: area)
        change(child) {
          $0.offset = place.offset
          $0.size = place.size
        }
        open.append((child, value.size))
        child = value.nextSibling
      }
    }
  }
}

extension Rect {
  init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension LogicalOffset {
  func scaled(by factor: Double) -> Self { Self(inline: inline * factor, block: block * factor) }
}

extension LogicalSize {
  func scaled(by factor: Double) -> Self { Self(inline: inline * factor, block: block * factor) }
}

extension FlowEdges {
  /// Edges that are there stay as wide as `least`.
  fileprivate func scaled(by factor: Double, least: LayoutUnit = .zero) -> Self {
    func scaled(_ edge: LayoutUnit) -> LayoutUnit { Swift.max(edge * factor, Swift.min(edge, least)) }
    return Self(
      blockStart: scaled(blockStart), lineRight: scaled(lineRight), blockEnd: scaled(blockEnd),
      lineLeft: scaled(lineLeft))
  }
}

extension CollapsedBorder {
  /// Makes the segment smaller; its line stays visible, in the same place.
  fileprivate mutating func scale(by factor: Double) {
    let old = isInlineAxis ? rect.size.block : rect.size.inline
    rect = LogicalRect(offset: rect.offset.scaled(by: factor), size: rect.size.scaled(by: factor))
    let missing = Swift.min(old, LayoutUnit(1)) - old * factor
    guard missing > .zero else { return }
    if isInlineAxis {
      rect.offset.block -= missing / 2
      rect.size.block += missing
    } else {
      rect.offset.inline -= missing / 2
      rect.size.inline += missing
    }
  }
}

extension BoxGeometry {
  func turned(from own: WritingMode, to outer: WritingMode) -> BoxGeometry {
    var turned = self
    turned.border = border.turned(from: own, to: outer)
    turned.padding = padding.turned(from: own, to: outer)
    // A shift is the place of a point beside another one.
    let shift = own.physical(LogicalRect(offset: relativeShift), in: .zero)
    turned.relativeShift = outer.logical(shift, in: .zero).offset
    return turned
  }
}

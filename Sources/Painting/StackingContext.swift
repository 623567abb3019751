import BoxGeneration
import CSS
import Graphics
import Layout
import Primitives
import Styling

/// Something that is painted after the flow around it: a positioned box, a translucent or transformed one, or the part of
/// such an inline box on one line.
struct HoistedItem {
  var fragment: FragmentID
  /// Of the fragment's border box, from the content area's corner.
  var offset: LogicalOffset
  var zIndex: Int32
  var clip: Int32
  /// The inline box whose part on the line `fragment` is meant.
  var inline: BoxID
  /// The box of the element around it.
  var parent: PlacedFragment
}

extension PagePainting {
  /// Paints the canvas and the root's stacking context.
  mutating func paintPage() {
    let root = page[page.root]
    paintContext(page.root, at: root.offset, clip: -1, isStackingContext: true)
    for id in adopted.keys.sorted(by: { $0.index < $1.index }) {
      for item in adopted[id] ?? [] { paintHoisted(item) }
    }
    setClip(-1)
  }

  /// The box of a fragment that takes part in the painting order by itself: none for the grid of a table with captions,
  /// whose place and effects are those of its wrapper (CSS 2.2, section 17.4).
  private func ordered(_ fragment: Fragment, in parent: FragmentID) -> Box? {
    guard fragment.kind == .box, !fragment.box.isNone, fragment.box != page[parent].box else { return nil }
    return tree[fragment.box]
  }

  /// The fragment is left out of the flow's painting order.
  func isHoisted(_ fragment: Fragment, in parent: FragmentID) -> Bool {
    guard let box = ordered(fragment, in: parent) else { return false }
    return !box.flags.contains(.anonymous) && painter.traits.boxes[box.style.box.index].isHoisted
  }

  func isFloat(_ fragment: Fragment, in parent: FragmentID) -> Bool {
    ordered(fragment, in: parent)?.flags.contains(.float) ?? false
  }

  /// The fragment is a flex or grid item, which is painted as one like an inline block (CSS Flexible Box 1, section
  /// 4.3).
  func isItem(_ fragment: Fragment, in parent: FragmentID) -> Bool {
    guard let box = ordered(fragment, in: parent), !box.parent.isNone else { return false }
    return tree[box.parent].kind.holdsItems
  }

  /// The extent of content that is cut off in the other direction only: beyond any page, wherever it is moved to.
  private static let freeDistance = LayoutUnit(100_000)

  /// The clip that holds for the content of a box. `overflow` is not for rows of tables (CSS Overflow 3, section 3.1).
  mutating func contentClip(of id: FragmentID, at offset: LogicalOffset, inside outer: Int32) -> Int32 {
    let fragment = page[id]
    guard fragment.kind == .box, !fragment.box.isNone else { return outer }
    let box = tree[fragment.box]
    let traits = painter.traits.boxes[box.style.box.index]
    guard traits.clipsContent, !box.flags.contains(.anonymous), !box.kind.isTableTrack,
      !box.flags.contains(.root), fragment.box != painter.bodyBox
    else { return outer }
    let geometry = geometry(fragment)
    let border = map.insets(geometry.border)
    let rect = map.rect(offset, fragment.size)
    var radii = cornerRadii(of: fragment, rect: rect)
    var edge = rect.inset(by: border)
    if traits.hasClipMargin, let margin = context.styles[box.style.box].rare?.values.overflowClipMargin {
      let inset: Insets
      switch margin.box {
      case .borderBox, .marginBox: inset = Insets()
      case .paddingBox: inset = border
      case .contentBox: inset = border + map.insets(geometry.padding)
      }
      let distance = context.resolve(margin.distance, font: box.style.font)
      edge = rect.inset(by: inset).grown(by: distance)
      radii = radii.shrunk(by: inset).grown(by: distance)
    } else {
      radii = radii.shrunk(by: border)
    }
    // Corners are not rounded where one direction is free (CSS Overflow 3, section 3.2).
    guard traits.clipsX, traits.clipsY else {
      let free = Self.freeDistance
      edge = edge.inset(
        by: traits.clipsX
          ? Insets(top: -free, right: .zero, bottom: -free, left: .zero)
          : Insets(top: .zero, right: -free, bottom: .zero, left: -free))
      return addClip(inside: outer, edge, CornerRadii())
    }
    return addClip(inside: outer, edge, radii)
  }

  /// Paints a fragment and what belongs to it as one: a stacking context, or a float, atomic inline or positioned box that is
  /// treated as one while its own positioned descendants take part in the context around it.
  mutating func paintContext(
    _ id: FragmentID, at offset: LogicalOffset, clip: Int32, isStackingContext: Bool, in parent: PlacedFragment? = nil
  ) {
    let fragment = page[id]
    let plane = Plane(
      fragment: id, offset: offset, clip: clip, isStackingContext: isStackingContext,
      matrix: matrix(of: fragment, at: offset, in: parent))
    if !fragment.box.isNone, painter.traits.boxes[tree[fragment.box].style.box.index].preservesSpace {
      paintSpace(plane)
    } else {
      paintPlane(plane)
    }
  }

  /// Paints a box and what lies in its plane.
  mutating func paintPlane(_ plane: Plane) {
    let (id, offset) = (plane.fragment, plane.offset)
    let fragment = page[id]
    var plane = plane
    let traits = fragment.box.isNone ? nil : painter.traits.boxes[tree[fragment.box].style.box.index]
    if let traits, traits.hidesBack, plane.matrix.showsBack {
      // Its children show their own sides.
      guard traits.preservesSpace else { return }
      plane.isBare = true
    }
    // The canvas is seen through the effects of the root, and does not turn with it.
    let isRoot = id == page.root
    if isRoot, plane.matrix != .identity { paintCanvas(root: id) }
    var effects = OpenEffects()
    var hasEffects = false
    let outerBase = openClipBase
    if let traits, traits.hasClip, let rect = clipRect(of: fragment, at: offset) {
      plane.clip = addClip(inside: plane.clip, rect, CornerRadii())
    }
    if traits?.hasEffect == true || plane.matrix != .identity {
      setClip(plane.clip)
      effects = openEffects(of: id, at: offset, plane.matrix)
      hasEffects = true
      openClipBase = openClips.count
    }
    if isRoot, plane.matrix == .identity { paintCanvas(root: id) }
    paintLayers(of: plane)
    if hasEffects {
      close(effects, of: fragment, at: offset)
      openClipBase = outerBase
    }
  }

  /// Items that a stacking context paints after the flow, by level.
  mutating func hoisted(in plane: Plane) -> [HoistedItem] {
    guard plane.isStackingContext else { return [] }
    var hoisted: [HoistedItem] = []
    let place = PlacedFragment(fragment: plane.fragment, offset: plane.offset)
    collectHoisted(in: plane.fragment, at: plane.offset, clip: plane.clip, parent: place, into: &hoisted)
    hoisted += adopted.removeValue(forKey: plane.fragment) ?? []
    // Equal levels keep the order of the document; fragments of positioned boxes come after those of the flow.
    func key(_ index: Int) -> (Int32, Int, Int) {
      let item = hoisted[index]
      return (item.zIndex, (item.inline.isNone ? page[item.fragment].box : item.inline).index, index)
    }
    return hoisted.indices.sorted { key($0) < key($1) }.map { hoisted[$0] }
  }

  /// The layers of CSS 2.2, Appendix E.2, with the box's own decorations.
  private mutating func paintLayers(of plane: Plane) {
    let (id, offset, clip) = (plane.fragment, plane.offset, plane.clip)
    let fragment = page[id]
    let hoisted = plane.hoisted ?? self.hoisted(in: plane)
    setClip(clip)
    if !plane.isBare, !paintTablePart(id, at: offset, in: id, at: offset) { paintDecorations(of: id, at: offset) }
    for item in hoisted where item.zIndex < 0 { paintHoisted(item) }
    let inner = contentClip(of: id, at: offset, inside: clip)
    if fragment.kind == .box {
      setClip(inner)
      paintBlockBackgrounds(in: id, at: offset, clip: inner)
      setClip(clip)
      paintCollapsedBorders(of: fragment, at: offset)
      paintFloats(in: id, at: offset, clip: inner)
      setClip(inner)
      paintContent(of: fragment, at: offset)
      paintInlines(in: id, at: offset, clip: inner)
    }
    for item in hoisted where item.zIndex >= 0 { paintHoisted(item) }
    setClip(clip)
    if !plane.isBare { paintOutline(of: id, at: offset) }
  }

  private mutating func paintHoisted(_ item: HoistedItem) {
    if item.inline.isNone {
      let box = page[item.fragment].box
      let traits = painter.traits.boxes[tree[box].style.box.index]
      paintContext(
        item.fragment, at: item.offset, clip: item.clip, isStackingContext: traits.isStackingContext, in: item.parent)
      return
    }
    setClip(item.clip)
    let outerBase = openClipBase
    let part = painter.traits.boxes[tree[item.inline].style.box.index].hasEffect ? part(of: item) : nil
    let effects = part.map { openEffects(of: $0.fragment, at: $0.offset, .identity) }
    if effects != nil { openClipBase = openClips.count }
    paintLine(item.fragment, at: item.offset, clip: item.clip, group: item.inline)
    if let effects, let part {
      setClip(item.clip)
      close(effects, of: page[part.fragment], at: part.offset)
      openClipBase = outerBase
    }
  }

  /// The part of a hoisted inline box on its line.
  private func part(of item: HoistedItem) -> PlacedFragment? {
    for child in children(of: item.fragment) where page[child].kind == .inlineBox && page[child].box == item.inline {
      return PlacedFragment(fragment: child, offset: item.offset + page[child].offset)
    }
    return nil
  }

  /// Gathers what the stacking context of `id` paints by level, in tree order, down to the next stacking contexts.
  private mutating func collectHoisted(
    in id: FragmentID, at offset: LogicalOffset, clip: Int32, parent: PlacedFragment, into items: inout [HoistedItem]
  ) {
    let isLine = page[id].kind == .line
    let clip = contentClip(of: id, at: offset, inside: clip)
    var met = BoxID.none
    for child in children(of: id) {
      let fragment = page[child]
      let childOffset = offset + fragment.offset
      if isLine {
        let group = hoistedInline(of: fragment)
        if !group.isNone, group != met {
          met = group
          if !items.contains(where: { $0.inline == group && $0.fragment == id }) {
            items.append(
              HoistedItem(
                fragment: id, offset: offset, zIndex: painter.traits.boxes[tree[group].style.box.index].zIndex,
                clip: clip, inline: group, parent: parent))
          }
        }
      }
      switch fragment.kind {
      case .text, .inlineBox: continue
      case .line: collectHoisted(in: child, at: childOffset, clip: clip, parent: parent, into: &items)
      case .box:
        if fragment.flags.contains(.positioned), let owner = stackingContext(around: fragment, in: id) {
          var own: [HoistedItem] = []
          collectHoisted(child, fragment, at: childOffset, clip: clip, isInLine: isLine, parent: parent, into: &own)
          adopted[owner, default: []] += own
        } else {
          collectHoisted(child, fragment, at: childOffset, clip: clip, isInLine: isLine, parent: parent, into: &items)
        }
      }
    }
  }

  /// The stacking context of a positioned box that is no containing block of it, such as a translucent box in the flow;
  /// nil where the fragment that the box hangs in is in the same one, or the page has nothing of it.
  private func stackingContext(around fragment: Fragment, in id: FragmentID) -> FragmentID? {
    guard painter.traits.hasContextsInFlow else { return nil }
    var around = tree[fragment.box].parent
    while !around.isNone, around != page[id].box {
      if painter.traits.boxes[tree[around].style.box.index].isStackingContext, tree[around].kind != .inline {
        return page.fragments.firstIndex { $0.kind == .box && $0.box == around }.map { FragmentID($0) }
      }
      around = tree[around].parent
    }
    return nil
  }

  /// Gathers what a box in the flow or in a line gives to the stacking context: itself, or its descendants.
  private mutating func collectHoisted(
    _ child: FragmentID, _ fragment: Fragment, at childOffset: LogicalOffset, clip: Int32, isInLine isLine: Bool,
    parent: PlacedFragment, into items: inout [HoistedItem]
  ) {
    let isAnonymous = fragment.box.isNone || tree[fragment.box].flags.contains(.anonymous)
    let inside = isAnonymous ? parent : PlacedFragment(fragment: child, offset: childOffset)
    if isHoisted(fragment, in: parent.fragment) {
      let traits = painter.traits.boxes[tree[fragment.box].style.box.index]
      var clip = clip
      // The part of a fixed box outside of the page's area is not printed (CSS 2.2, section 9.6).
      if context.inputs.repeatedBoxes.contains(fragment.box) {
        clip = addClip(inside: clip, page.contentArea, CornerRadii())
      }
      if !(isLine && !hoistedInline(of: fragment).isNone) {
        items.append(
          HoistedItem(
            fragment: child, offset: childOffset, zIndex: traits.zIndex, clip: clip, inline: .none, parent: parent))
      }
      if traits.isStackingContext { return }
      // `clip` holds for all descendants, those too that are painted at a level of the context around.
      if traits.hasClip, let rect = clipRect(of: fragment, at: childOffset) {
        let inner = addClip(inside: clip, rect, CornerRadii())
        collectHoisted(in: child, at: childOffset, clip: inner, parent: inside, into: &items)
        return
      }
    }
    collectHoisted(in: child, at: childOffset, clip: clip, parent: inside, into: &items)
  }

  private func isPartOfFormula(_ fragment: Fragment) -> Bool {
    painter.hasFormulas && fragment.kind == .inlineBox && tree[fragment.box].flags.contains(.formula)
  }

  func hoistedInline(of fragment: Fragment) -> BoxID {
    guard !fragment.box.isNone, fragment.box.index < painter.hoistedInlines.count else { return .none }
    return painter.hoistedInlines[fragment.box.index]
  }

  // MARK: The layers of the flow (CSS 2.2, Appendix E.2, steps 4, 5 and 7)

  private mutating func paintBlockBackgrounds(in id: FragmentID, at offset: LogicalOffset, clip: Int32) {
    for child in children(of: id) {
      let fragment = page[child]
      guard fragment.kind == .box, !isFloat(fragment, in: id), !isHoisted(fragment, in: id), !isItem(fragment, in: id)
      else { continue }
      let childOffset = offset + fragment.offset
      setClip(clip)
      if !paintTablePart(child, at: childOffset, in: id, at: offset) { paintDecorations(of: child, at: childOffset) }
      guard !fragment.firstChild.isNone else { continue }
      let inner = contentClip(of: child, at: childOffset, inside: clip)
      paintBlockBackgrounds(in: child, at: childOffset, clip: inner)
      setClip(clip)
      paintCollapsedBorders(of: fragment, at: childOffset)
    }
  }

  private mutating func paintFloats(in id: FragmentID, at offset: LogicalOffset, clip: Int32) {
    for child in children(of: id) {
      let fragment = page[child]
      guard fragment.kind == .box || fragment.kind == .line, !isHoisted(fragment, in: id), !isItem(fragment, in: id)
      else { continue }
      let childOffset = offset + fragment.offset
      if isFloat(fragment, in: id) {
        paintContext(child, at: childOffset, clip: clip, isStackingContext: false)
      } else if fragment.kind == .line {
        for part in children(of: child) where isFloat(page[part], in: child) && !isHoisted(page[part], in: child) {
          paintContext(part, at: childOffset + page[part].offset, clip: clip, isStackingContext: false)
        }
      } else if !fragment.firstChild.isNone {
        let inner = contentClip(of: child, at: childOffset, inside: clip)
        paintFloats(in: child, at: childOffset, clip: inner)
      }
    }
  }

  private mutating func paintInlines(in id: FragmentID, at offset: LogicalOffset, clip: Int32) {
    for child in children(of: id) {
      let fragment = page[child]
      let childOffset = offset + fragment.offset
      switch fragment.kind {
      case .line: paintLine(child, at: childOffset, clip: clip, group: .none)
      case .box:
        guard !isFloat(fragment, in: id), !isHoisted(fragment, in: id) else { continue }
        if isItem(fragment, in: id) {
          paintContext(child, at: childOffset, clip: clip, isStackingContext: false)
          continue
        }
        let inner = contentClip(of: child, at: childOffset, inside: clip)
        setClip(inner)
        paintContent(of: fragment, at: childOffset)
        paintInlines(in: child, at: childOffset, clip: inner)
        setClip(clip)
        paintOutline(of: child, at: childOffset)
      case .text, .inlineBox: continue
      }
    }
  }

  /// Paints a line's inline boxes, text and atomic boxes: those of one hoisted inline box, or with `group` none the others.
  mutating func paintLine(_ id: FragmentID, at offset: LogicalOffset, clip: Int32, group: BoxID) {
    setClip(clip)
    // Elements of formulas are boxes of the block level: all of their backgrounds lie below their text (MathML Core, section 3.1.1).
    if painter.hasFormulas {
      for child in children(of: id) where isPartOfFormula(page[child]) && hoistedInline(of: page[child]) == group {
        paintDecorations(
          of: child, at: offset + page[child].offset, line: BackgroundMask.Line(fragment: id, offset: offset))
      }
    }
    for child in children(of: id) {
      let fragment = page[child]
      guard hoistedInline(of: fragment) == group else { continue }
      let childOffset = offset + fragment.offset
      switch fragment.kind {
      case .inlineBox:
        guard !isPartOfFormula(fragment) else { continue }
        paintDecorations(of: child, at: childOffset, line: BackgroundMask.Line(fragment: id, offset: offset))
      case .text: paintText(fragment, at: childOffset, line: id, lineOffset: offset)
      case .box:
        // A hoisted box inside a hoisted inline box is painted here, with its group.
        guard !isFloat(fragment, in: id), group != .none || !isHoisted(fragment, in: id) else { continue }
        paintContext(child, at: childOffset, clip: clip, isStackingContext: false)
        setClip(clip)
      case .line: continue
      }
    }
    for child in children(of: id) where page[child].kind == .inlineBox && hoistedInline(of: page[child]) == group {
      paintOutline(of: child, at: offset + page[child].offset)
    }
  }
}

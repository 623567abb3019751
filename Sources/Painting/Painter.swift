import BoxGeneration
package import CSS
package import Drawings
package import Graphics
import Images
package import Layout
package import Markup
package import Primitives
import Styling

/// Access to the image store that a page needs: the images of background layers, and how large an image is by itself.
package struct PaintImages {
  /// The image of a URL that styling has resolved; nil when it cannot be loaded.
  package var image: (String) -> ImageID?
  package var natural: (ImageID) -> NaturalDimensions
  /// An image as a style shows its pixels.
  package var presented: (ImageID, ImagePresentation) -> ImageID = { image, _ in image }
  /// The place of the picture in a drawing of nothing else, and the picture, which is one of pixels; nil for all other images.
  package var framed: (ImageID) -> (frame: PictureFrame, picture: ImageID)? = { _ in nil }
  /// The document at a path or in a `data:` URL, for the filters in it.
  package var drawing: (String) -> Document? = { _ in nil }
  /// A `<mask>` of the document as a drawing for a box of a size, with what lies around it as far as a distance.
  package var mask: (NodeID, Size, _ reach: LayoutUnit, MaskMode) -> ImageID? = { _, _, _, _ in nil }
  package init(image: @escaping (String) -> ImageID?, natural: @escaping (ImageID) -> NaturalDimensions) {
    self.image = image
    self.natural = natural
  }
}

/// A place on a page that leads elsewhere.
package struct LinkRegion: Hashable, Sendable {
  /// The reference as the book writes it.
  package var href: String
  package var rect: Rect
  /// The `a` element.
  package var node: NodeID
  package init(href: String, rect: Rect, node: NodeID) {
    self.href = href
    self.rect = rect
    self.node = node
  }
}

/// Turns pages of fragments into display lists in the painting order of CSS 2.2, Appendix E. One for each chapter.
package struct Painter {
  let inputs: LayoutInputs
  let document: Document
  let images: PaintImages
  let traits: StyleTraits
  /// By box: the outermost inline box around it, or itself, that has to be painted as a group of its own.
  let hoistedInlines: [BoxID]
  /// Any box is one of a formula.
  let hasFormulas: Bool
  /// The box whose background covers the page (CSS Backgrounds 3, section 2.11.2).
  let canvasBox: BoxID
  /// The box of the body element, whose `overflow` is the viewport's.
  let bodyBox: BoxID
  let links: LinkMap

  package init(_ inputs: LayoutInputs, document: Document, images: PaintImages) {
    self.inputs = inputs
    self.document = document
    self.images = images
    let tree = inputs.tree
    traits = StyleTraits(inputs.styles)
    var hoisted = [BoxID](repeating: .none, count: tree.boxes.count)
    for (index, box) in tree.boxes.enumerated() where box.kind == .inline || box.flags.contains(.atomicInline) {
      if !box.parent.isNone, box.parent.index < index { hoisted[index] = hoisted[box.parent.index] }
      if box.kind == .inline, hoisted[index].isNone, traits.boxes[box.style.box.index].isHoisted {
        hoisted[index] = BoxID(index)
      }
    }
    hoistedInlines = hoisted
    hasFormulas = tree.boxes.contains { $0.flags.contains(.formula) }

    var canvas = BoxID.none
    var body = BoxID.none
    if !tree.boxes.isEmpty {
      let root = tree[BoxTree.root]
      canvas = BoxTree.root
      // A child of the root, or of the anonymous boxes that a root with another `display` wraps it in.
      if let element = document.children(of: document.root).first(where: { document.isElement($0, .body) }) {
        body =
          tree.boxes.firstIndex { $0.node == element && $0.pseudo == nil && !$0.flags.contains(.anonymous) }
          .map { BoxID($0) } ?? .none
      }
      // Containment of either keeps the background where it is (CSS Containment 2, section 2).
      func isContained(_ box: BoxID) -> Bool {
        inputs.styles[tree[box].style.box].rare.map { !$0.values.contain.isEmpty } ?? false
      }
      if !traits.hasBackground[root.style.background.index], !body.isNone, !isContained(BoxTree.root),
        !isContained(body)
      {
        canvas = body
      }
    }
    canvasBox = canvas
    bodyBox = body
    links = LinkMap(document: document)
  }

  /// The display list of a page.
  package func paint(_ page: PageLayout) -> DisplayList {
    guard !page.root.isNone else { return DisplayList(size: page.size) }
    var painting = PagePainting(painter: self, page: page)
    // Once: an array that is asked for a little more again and again is copied each time.
    painting.list.glyphs.reserveCapacity(page.glyphs.count)
    painting.paintPage()
    return painting.list
  }

  /// The display list of a page, with what its text and pictures come from.
  ///
  /// - Parameter drawsTransparentText: Text that is not seen is in the list, where it is found and copied.
  package func paint(
    _ page: PageLayout, noting contents: inout PaintedContents, drawsTransparentText: Bool = false
  ) -> DisplayList {
    guard !page.root.isNone else { return DisplayList(size: page.size) }
    var painting = PagePainting(painter: self, page: page)
    painting.contents = PaintedContents()
    painting.drawsTransparentText = drawsTransparentText
    painting.list.glyphs.reserveCapacity(page.glyphs.count)
    painting.paintPage()
    contents = painting.contents ?? PaintedContents()
    return painting.list
  }

  /// The links on a page, in reading order of its lines.
  package func linkRegions(on page: PageLayout) -> [LinkRegion] {
    guard !page.root.isNone, !links.isEmpty else { return [] }
    return PagePainting(painter: self, page: page).linkRegions()
  }
}

/// Traits of the style groups that painting asks for again and again, answered once for each group.
struct StyleTraits {
  struct BoxTraits {
    /// Positioned, translucent or transformed: painted out of the flow's order.
    var isHoisted = false
    /// A stacking context for its descendants, and not only for itself.
    var isStackingContext = false
    var zIndex: Int32 = 0
    /// Content is cut off at the left and right, or at the top and bottom.
    var clipsX = false
    var clipsY = false
    var clipsContent: Bool { clipsX || clipsY }
    /// The content is cut off at the edge that `overflow-clip-margin` says.
    var hasClipMargin = false
    var hasClip = false
    var hasEffect = false
    /// The content blends among itself, and with nothing behind it.
    var isIsolated = false
    var hasTransform = false
    /// Not painted where its back is turned to the reader.
    var hidesBack = false
    /// Its children stand in the same space, and not in its plane.
    var preservesSpace = false
  }

  var boxes: [BoxTraits]
  /// Any box that is not positioned is a stacking context.
  var hasContextsInFlow: Bool
  var hasBackground: [Bool]
  var hasBorder: [Bool]
  var hasOutline: [Bool]
  var hasShadow: [Bool]
  var isVisible: [Bool]

  init(_ styles: StyleTable) {
    let blends = styles.boxes.contains { $0.blendMode != .normal }
    boxes = styles.boxes.map { style in
      var traits = BoxTraits()
      let isPositioned = style.position != .static
      let isGroup =
        style.opacity < 1 || style.blendMode != .normal || style.isIsolated || !style.filter.isEmpty
        || style.clipPath != nil || style.hasMask || style.isBackdropRoot
      traits.hasEffect = isGroup || !style.transform.isEmpty
      let space = style.rare?.values
      traits.hasTransform = !style.transform.isEmpty
      traits.hidesBack = space?.backfaceVisibility == .hidden
      let isInSpace =
        traits.hidesBack || space?.perspective != nil || space?.transformStyle == .preserve3D
        || space?.willChange.contains(.stackingContext) == true
      traits.isHoisted = isPositioned || traits.hasEffect || style.isLayeredItem || isInSpace
      traits.isStackingContext =
        traits.hasEffect || isInSpace || isPositioned && style.zIndex != nil || style.position == .fixed
        || style.position == .sticky || style.isLayeredItem
      // Stacking contexts are isolated groups (Compositing 1, section 2.2), which shows where something blends.
      traits.isIsolated = style.isIsolated || style.isBackdropRoot || blends && traits.isStackingContext && !isInSpace
      if traits.isIsolated { traits.hasEffect = true }
      traits.zIndex = isPositioned || style.isLayeredItem ? style.zIndex ?? 0 : 0
      func clips(_ overflow: Overflow) -> Bool {
        switch overflow {
        case .visible: false
        case .hidden, .clip: true
        // Nothing can be scrolled on a page. In a box that grows with its content, the content is shown whole.
        case .scroll, .auto: style.height != .auto || style.maxHeight != .none
        }
      }
      let containsPaint = style.rare.map { $0.values.contain.contains(.paint) && style.display != .inline } ?? false
      // A box that can be scrolled in one direction is cut off in both.
      let isScrolled = style.overflowX.isScrollable && (clips(style.overflowX) || clips(style.overflowY))
      traits.clipsX = style.overflowX == .clip || isScrolled || containsPaint
      traits.clipsY = style.overflowY == .clip || isScrolled || containsPaint
      traits.hasClipMargin =
        !style.overflowX.isScrollable && (style.rare?.values.overflowClipMargin ?? ClipMargin()) != ClipMargin()
      traits.hasClip = style.clip != nil && (style.position == .absolute || style.position == .fixed)
      // Grouping properties flatten the content (CSS Transforms 2, section 6.1).
      let isFlattened =
        isGroup || traits.hasClip || containsPaint || style.overflowX != .visible || style.overflowY != .visible
      traits.preservesSpace = space?.transformStyle == .preserve3D && style.display != .inline && !isFlattened
      return traits
    }
    hasContextsInFlow = zip(boxes, styles.boxes).contains { $0.isStackingContext && $1.position == .static }
    hasBackground = styles.backgrounds.map { !$0.layers.isEmpty || $0.color != .color(.transparent) }
    func isDrawn(_ style: BorderStyle) -> Bool { style != .none && style != .hidden }
    hasBorder = styles.borders.map { border in
      isDrawn(border.style.top) || isDrawn(border.style.right) || isDrawn(border.style.bottom)
        || isDrawn(border.style.left) || border.image != nil
    }
    hasOutline = styles.borders.map { $0.outlineStyle != .none && $0.outlineWidth.value > 0 }
    hasShadow = styles.borders.map { !$0.shadows.isEmpty }
    isVisible = styles.texts.map { $0.visibility == .visible }
  }
}

/// The work on one page.
struct PagePainting {
  let painter: Painter
  let page: PageLayout
  /// The coordinates of what is being painted: the page's, or those of a line that runs otherwise.
  var map: PageMapping
  var list: DisplayList
  /// Clips met so far; each knows the one around it.
  var clips: [Clip] = []
  /// The clips that are open in the display list, outermost first.
  var openClips: [Int32] = []
  /// Clips below this count belong to a group around the one being painted and stay open.
  var openClipBase = 0
  /// The record of texts and pictures, if anybody asks.
  var contents: PaintedContents?
  var drawsTransparentText = false
  /// The elements of the document by their ids, once one is asked for.
  var elements: [String: NodeID]?
  /// While text is drawn only for its shape: the colour it has then.
  var textMaskColor: Color?
  /// Positioned boxes that hang further out than the stacking context which paints them, by the fragment of that.
  var adopted: [FragmentID: [HoistedItem]] = [:]
  /// The parts of each box that columns divide, found when the first of them is painted.
  var parts: [BoxID: [FragmentID]]?

  struct Clip {
    var outer: Int32
    var rect: Rect
    var radii: CornerRadii
  }

  let context: PageInputs
  var tree: BoxTree { painter.inputs.tree }

  init(painter: Painter, page: PageLayout) {
    self.painter = painter
    self.page = page
    context = PageInputs(painter.inputs, of: page)
    map = PageMapping(writingMode: page.writingMode, contentArea: page.contentArea)
    list = DisplayList(size: page.size)
  }

  /// The children of a fragment, in order.
  func children(of id: FragmentID) -> FragmentChildren { FragmentChildren(page: page, upcoming: page[id].firstChild) }

  /// The widths around a fragment: none at the sides where a break cuts it (CSS Fragmentation 3, section 6).
  func geometry(_ fragment: Fragment) -> BoxGeometry {
    let index = Int(fragment.payload)
    guard index < page.geometries.count else { return BoxGeometry() }
    let geometry = page.geometries[index]
    guard fragment.kind == .box, fragment.box.isNone || !context.inputs.clonesEdges(fragment.box) else {
      return geometry
    }
    return geometry.cut(by: fragment.flags, in: flow(of: fragment), page.writingMode)
  }

  /// The writing mode along whose block axis a box is broken: its own, whatever that of the page is.
  func flow(of fragment: Fragment) -> WritingMode {
    fragment.box.isNone ? page.writingMode : context.styles[tree[fragment.box].style.paragraph].writingMode
  }

  // MARK: Clips

  /// Opens and closes clips until exactly those of `target` are open.
  mutating func setClip(_ target: Int32) {
    if openClips.last ?? -1 == target { return }
    var path: [Int32] = []
    var index = target
    while index >= 0 {
      path.append(index)
      index = clips[Int(index)].outer
    }
    path.reverse()
    var common = 0
    while common < path.count, common < openClips.count, path[common] == openClips[common] { common += 1 }
    while openClips.count > Swift.max(common, openClipBase) {
      openClips.removeLast()
      close()
    }
    while openClips.count < path.count {
      let clip = clips[Int(path[openClips.count])]
      list.items.append(.saveClip(clip.rect, clip.radii))
      openClips.append(path[openClips.count])
    }
  }

  /// Ends the innermost group; one with nothing inside is taken back.
  mutating func close() {
    switch list.items.last {
    // A filter may show something where nothing is.
    case .saveLayer(let style) where style.filters.contains(where: \.isGraph):
      list.items.append(.restore)
    case .saveClip, .saveClipPath, .saveLayer, .saveTransform, .saveProjection: list.items.removeLast()
    default: list.items.append(.restore)
    }
  }

  mutating func addClip(inside outer: Int32, _ rect: Rect, _ radii: CornerRadii) -> Int32 {
    clips.append(Clip(outer: outer, rect: rect, radii: radii))
    return Int32(clips.count - 1)
  }
}

extension BoxGeometry {
  /// The widths that breaks leave.
  fileprivate func cut(by flags: FragmentFlags, in flow: WritingMode, _ outer: WritingMode) -> BoxGeometry {
    guard !flags.isDisjoint(with: [.continuesBefore, .continuesAfter]) else { return self }
    func cut(_ edges: FlowEdges) -> FlowEdges {
      var own = edges.turned(from: outer, to: flow)
      if flags.contains(.continuesBefore) { own.blockStart = .zero }
      if flags.contains(.continuesAfter) { own.blockEnd = .zero }
      return own.turned(from: flow, to: outer)
    }
    var geometry = self
    geometry.border = cut(border)
    geometry.padding = cut(padding)
    return geometry
  }
}

/// The children of a fragment, in order.
struct FragmentChildren: Sequence, IteratorProtocol {
  let page: PageLayout
  var upcoming: FragmentID
  mutating func next() -> FragmentID? {
    guard !upcoming.isNone else { return nil }
    defer { upcoming = page[upcoming].nextSibling }
    return upcoming
  }
}

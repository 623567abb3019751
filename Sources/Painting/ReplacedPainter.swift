import BoxGeneration
import CSS
import Drawings
import Graphics
import Images
import Layout
import Primitives
import Styling

extension PagePainting {
  /// The content box of a box fragment.
  func contentRect(of fragment: Fragment, at offset: LogicalOffset) -> Rect {
    let geometry = geometry(fragment)
    return map.rect(offset, fragment.size).inset(by: map.insets(geometry.border) + map.insets(geometry.padding))
  }

  /// The image of a replaced box, fitted into its content box (CSS Images 3, section 5.5), or the frame of a missing one.
  mutating func paintContent(of fragment: Fragment, at offset: LogicalOffset) {
    guard fragment.kind == .box, !fragment.box.isNone else { return }
    let box = tree[fragment.box]
    guard box.content == .replaced || box.flags.contains(.missing), painter.traits.isVisible[box.style.text.index]
    else { return }
    let content = contentRect(of: fragment, at: offset)
    guard !content.isEmpty else { return }
    guard !box.image.isNone else {
      if let drawn = tree.drawnImages[fragment.box] { paint(drawn, in: content, style: box.style) }
      if box.flags.contains(.missing) {
        let side = BorderSide(width: LayoutUnit(1), style: .solid, color: Color(red: 192, green: 192, blue: 192))
        paintBorder([side, side, side, side], rect: content, radii: CornerRadii())
      }
      return
    }
    let style = context.styles[box.style.box]
    if fragment.flags.contains(.rotated) { return paintRotated(fragment.box, style, in: content) }
    let geometry = geometry(fragment)
    var whole = content
    if geometry.slice.whole > .zero {
      whole.y -= geometry.slice.start
      whole.height = geometry.slice.whole
    }
    let (rect, shown) = fittedRect(style, font: box.style.font, image: box.image, in: whole)
    let edges = map.insets(geometry.border) + map.insets(geometry.padding)
    let radii = cornerRadii(of: fragment, rect: map.rect(offset, fragment.size)).shrunk(by: edges)
    let sticksOut = rect.x < content.x || rect.y < content.y || rect.maxX > content.maxX || rect.maxY > content.maxY
    let needsClip = !radii.isZero || sticksOut
    if needsClip { list.items.append(.saveClip(content, radii)) }
    paint(box.image, of: fragment.box, in: rect, shown: shown)
    if needsClip { close() }
  }

  private mutating func paint(_ image: ImageID, of box: BoxID, in rect: Rect, shown: Rect?) {
    if let shown { list.items.append(.saveClip(shown, CornerRadii())) }
    defer { if shown != nil { close() } }
    guard let (frame, picture) = painter.images.framed(image) else {
      list.items.append(.image(image, rect))
      contents?.pictures.append(PaintedPicture(image: image, rect: rect, box: box))
      return
    }
    // The picture in a drawing of nothing else.
    guard let place = place(of: picture, in: frame, rect) else { return }
    if place.isCut { list.items.append(.saveClip(place.shown, CornerRadii())) }
    list.items.append(.image(picture, place.whole))
    contents?.pictures.append(PaintedPicture(image: picture, rect: place.whole, box: box))
    if place.isCut { close() }
  }

  private func place(
    of picture: ImageID, in frame: PictureFrame, _ rect: Rect
  ) -> (whole: Rect, shown: Rect, isCut: Bool)? {
    let own = painter.images.natural(picture)
    guard let width = own.width, let height = own.height,
      let place = frame.place(
        SIMD2(width.float, height.float), in: SIMD2(rect.width.float, rect.height.float))
    else { return nil }
    func part(_ part: PictureFrame.Rectangle) -> Rect {
      let size = part.high - part.low
      return Rect(
        x: rect.x + LayoutUnit(part.low.x), y: rect.y + LayoutUnit(part.low.y), width: LayoutUnit(size.x),
        height: LayoutUnit(size.y))
    }
    return (part(place.whole), part(place.shown), place.whole != place.shown)
  }

  /// An image whose top is at the left.
  private mutating func paintRotated(_ id: BoxID, _ style: BoxStyle, in content: Rect) {
    let box = tree[id]
    let (x, y) = (content.x + content.width / 2, content.y + content.height / 2)
    let standing = Rect(
      x: x - content.height / 2, y: y - content.width / 2, width: content.height, height: content.width)
    list.items.append(.saveClip(content, CornerRadii()))
    list.items.append(
      .saveTransform(AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: x.float - y.float, ty: x.float + y.float)))
    let (rect, shown) = fittedRect(style, font: box.style.font, image: box.image, in: standing)
    paint(box.image, of: id, in: rect, shown: shown)
    close()
    close()
  }

  /// Where all of an image lies, and what is shown of it; nil for all.
  private func fittedRect(
    _ style: BoxStyle, font: Identifier<FontStyleTag>, image: ImageID, in content: Rect
  ) -> (whole: Rect, shown: Rect?) {
    var natural = painter.images.natural(image)
    var viewBox: Rect?
    if let width = natural.width, let height = natural.height {
      viewBox = context.viewBox(of: style, font: font, in: Size(width: width, height: height))
    }
    if let viewBox { natural = NaturalDimensions(width: viewBox.width, height: viewBox.height) }
    let room = Size(width: content.width, height: content.height)
    let contained = natural.fitted(into: room, covers: false)
    let own = natural.size(specified: (nil, nil), in: room)
    let used: Size =
      switch style.objectFit {
      case .fill: room
      case .contain: contained
      case .cover: natural.fitted(into: room, covers: true)
      case .none: own
      case .scaleDown: own.width > contained.width || own.height > contained.height ? contained : own
      }
    let rect = Rect(
      x: content.x + context.resolve(style.objectPosition.x, font: font, percentage: content.width - used.width),
      y: content.y + context.resolve(style.objectPosition.y, font: font, percentage: content.height - used.height),
      width: used.width, height: used.height)
    guard let viewBox else { return (rect, nil) }
    let whole = painter.images.natural(image).size(specified: (nil, nil), in: room)
    let (x, y) = (rect.width.pixels / viewBox.width.pixels, rect.height.pixels / viewBox.height.pixels)
    return (
      Rect(
        x: rect.x - viewBox.x * x, y: rect.y - viewBox.y * y, width: whole.width * x, height: whole.height * y), rect
    )
  }
}

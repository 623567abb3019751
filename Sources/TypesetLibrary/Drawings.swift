public import CTypeset
import FoundationEssentials
import Graphics
import Platform
import Primitives
import Typesetting

@c @implementation
public func typeset_page_display_list(
  _ page: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ result: Place<Place<CChar>?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) {
    let annotations = try annotations(json)
    return try TypesetLibrary.json(
      annotations.isEmpty ? $0.page.displayList : $0.page.displayList(with: annotations))
  }
}

@c @implementation
public func typeset_page_face(
  _ page: OpaquePointer?, _ font: UInt32, _ result: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) { handle in
    guard let face = handle.resources.face(FontID(rawValue: font)) else {
      throw Failure(.missing, part: "font", "there is no such font")
    }
    return try json(FaceDescription(face))
  }
}

private struct FaceDescription: Encodable {
  let family: String
  let style: String
  let weight: Int
  let hasColor: Bool

  init(_ face: PageResources.Face) {
    (family, style, weight, hasColor) = (face.family, face.style, face.weight, face.hasColor)
  }
}

// MARK: Glyphs

/// A glyph of a font that the book has.
private func glyph(_ font: UInt32, _ glyph: UInt32, of handle: PageHandle) throws(Failure) -> (FontID, UInt16) {
  let font = FontID(rawValue: font)
  guard handle.resources.face(font) != nil else { throw Failure(.missing, part: "font", "there is no such font") }
  guard let glyph = UInt16(exactly: glyph) else {
    throw Failure(.invalidArgument, part: "glyph", "glyphs are below 65536")
  }
  return (font, glyph)
}

@c @implementation
public func typeset_page_glyph_outline(
  _ page: OpaquePointer?, _ font: UInt32, _ number: UInt32, _ result: Place<Place<CChar>?>?,
  _ error: Place<OpaquePointer?>?
) -> typeset_status {
  give(page, as: PageHandle.self, result, error) { handle in
    let (font, glyph) = try glyph(font, number, of: handle)
    return try copy(pathData(handle.resources.outline(of: glyph, in: font)))
  }
}

/// An outline as path data of SVG.
private func pathData(_ outline: [PageResources.OutlineElement]) -> String {
  var data = PathData()
  for element in outline {
    switch element {
    case .move(let point):
      if !data.text.isEmpty { data.add("Z") }
      data.add("M", point)
    case .line(let point): data.add("L", point)
    case .quadraticCurve(let control, let end): data.add("Q", control, end)
    case .cubicCurve(let first, let second, let end): data.add("C", first, second, end)
    }
  }
  if !data.text.isEmpty { data.add("Z") }
  return data.text
}

@c @implementation
public func typeset_page_glyph_picture(
  _ page: OpaquePointer?, _ font: UInt32, _ number: UInt32, _ pixelsPerEm: UInt32, _ color: UnsafePointer<CChar>?,
  _ bytes: Place<Place<UInt8>?>?, _ count: Place<Int>?, _ box: Place<Double>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let handle = try object(page, as: PageHandle.self)
    guard let box else { throw Failure(.invalidArgument, part: "box", "it is NULL") }
    let (font, glyph) = try glyph(font, number, of: handle)
    let text = try color.map { color throws(Failure) -> Color in
      guard let color = Color(hex: String(cString: color)) else {
        throw Failure(.unreadable, part: "color", "it is neither #rrggbb nor #rrggbbaa")
      }
      return color
    }
    let picture = Worker.run {
      handle.resources.picture(of: glyph, in: font, pixelsPerEm: Int(pixelsPerEm), color: text ?? .black)
    }
    guard let picture else { throw Failure(.missing, part: "glyph", "it has no picture") }
    for (index, number) in [picture.origin.x, picture.origin.y, picture.size.x, picture.size.y].enumerated() {
      box[index] = number
    }
    let file = picture.bitmap.png()
    bytes.pointee = try copy(file)
    count.pointee = file.count
  }
}

// MARK: Images

@c @implementation
public func typeset_page_image_file(
  _ page: OpaquePointer?, _ image: UInt32, _ bytes: Place<Place<UInt8>?>?, _ count: Place<Int>?,
  _ mediaType: Place<Place<CChar>?>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    mediaType?.pointee = nil
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    guard let file = try object(page, as: PageHandle.self).resources.file(of: ImageID(rawValue: image)) else {
      throw Failure(.missing, part: "image", "there is no file of it")
    }
    try give(file.bytes, file.mediaType, bytes, count, mediaType)
  }
}

@c @implementation
public func typeset_page_image_png(
  _ page: OpaquePointer?, _ image: UInt32, _ width: Int, _ height: Int, _ bytes: Place<Place<UInt8>?>?,
  _ count: Place<Int>?, _ error: Place<OpaquePointer?>?
) -> typeset_status {
  call(error) {
    let (bytes, count) = (try place(bytes, emptied: nil), try place(count, emptied: 0))
    let handle = try object(page, as: PageHandle.self)
    let sides = 1...16384
    guard sides.contains(width), sides.contains(height) else {
      throw Failure(.invalidArgument, part: "size", "sides have 1 to \(sides.upperBound) pixels")
    }
    let file = Worker.run { handle.resources.bitmap(ImageID(rawValue: image), width: width, height: height)?.png() }
    guard let file, !file.isEmpty else { throw Failure(.missing, part: "image", "it cannot be drawn") }
    bytes.pointee = try copy(file)
    count.pointee = file.count
  }
}

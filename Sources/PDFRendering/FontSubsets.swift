import Fonts
import Primitives
import RasterRendering

/// The fonts of a file: one subset of each face, however many pages use it.
struct FontSubsets {
  private let fonts: FontLibrary
  /// In the order of their first use.
  private var subsets: [FontSubset] = []
  private var byFace: [FontID: Int] = [:]
  private var byDesign: [Design: Int] = [:]

  /// The design that outlines depend on: faces that differ in features or adjustments alone are one font.
  private struct Design: Hashable {
    var file: ObjectIdentifier
    var index: Int
    var coordinates: [Float]
    var isBold: Bool
    var slant: Float
  }

  init(fonts: FontLibrary) { self.fonts = fonts }

  private func index(of id: FontID) -> Int? {
    if let known = byFace[id] { return known }
    return fonts.face(id).flatMap { byDesign[Self.design($0)] }
  }

  private static func design(_ face: FontFace) -> Design {
    Design(
      file: ObjectIdentifier(face.file), index: face.faceIndex, coordinates: face.variationCoordinates,
      isBold: face.isSyntheticBold, slant: face.syntheticSlant)
  }

  /// The text that a code of a face stands for; nil where that is open.
  func text(of code: UInt16, in id: FontID) -> [UInt16]? { index(of: id).flatMap { subsets[$0].texts[code] } }

  /// All codes of a page stand for what they stood for before.
  func agree(with resources: PageResources) -> Bool {
    for (font, texts) in zip(resources.fonts, resources.texts) {
      if let index = index(of: font.face), !subsets[index].agrees(with: texts) { return false }
    }
    return true
  }

  /// Adds what a page uses of a font.
  mutating func use(
    _ font: PageResources.Font, _ codes: [UInt16], unseen: [UInt16], _ texts: [UInt16: [UInt16]],
    in file: inout PDFFile
  ) -> PDFObjectID {
    let index: Int
    if let known = self.index(of: font.face) {
      index = known
    } else if let face = fonts.face(font.face) {
      index = subsets.count
      subsets.append(FontSubset(face: face))
      byDesign[Self.design(face)] = index
    } else {
      return file.allocate()
    }
    byFace[font.face] = index
    subsets[index].add(codes, unseen: unseen, texts)
    let known = font.isVertical ? subsets[index].vertical : subsets[index].horizontal
    if let known { return known }
    let id = file.allocate()
    if font.isVertical { subsets[index].vertical = id } else { subsets[index].horizontal = id }
    return id
  }

  /// Names of faces that pages use and that may not be embedded, in the order of their first use.
  var unembeddableFaces: [String] {
    var names: [String] = []
    for subset in subsets where !subset.face.isEmbeddable {
      let name = "\(subset.face.familyName) \(subset.face.styleName)"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// - Parameter shapes: The outlines of glyphs; nil leaves them out.
  func write(to file: inout PDFFile, shapes: GlyphShapes?) {
    for subset in subsets { subset.write(to: &file, shapes: shapes) }
  }
}

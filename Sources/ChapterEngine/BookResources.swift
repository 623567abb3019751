import BoxGeneration
package import CSS
import Drawings
package import Fonts
import Graphics
import ImageCodecs
package import Images
package import Markup
import Painting
package import Primitives
package import Publications
package import RasterRendering
package import Styling
import Text

/// Resources that all chapters of a book share: immutable values and stores with locks of their own.
package final class BookResources: Sendable {
  package let publication: Publication
  /// As the reader has chosen them.
  package let chosenSettings: TypesettingSettings
  /// Those in force.
  package let settings: TypesettingSettings
  package let fonts: FontLibrary
  package let images: ImageStore
  package let styleSheets: StylesheetCache
  package let ruleSets: RuleSetCache
  /// The reader's own sheet.
  package let userSheets: [TypedStylesheet]
  /// That of the settings, which pages of fixed design are set without.
  private let readerSheets: [TypedStylesheet]
  /// The furniture that printed pages have in the house style.
  let furniture: TypedStylesheet?
  package let fontBooks: FontBooks
  let endnotes: EndnoteDocuments
  /// What the pages laid out so far cannot show.
  package let losses: LossRegister
  /// Cross references of content to elements and pages of the book.
  package let references = ReferenceCounter()
  /// The fonts' outlines, for a PDF.
  let glyphShapes: GlyphShapes
  /// Glyph masks drawn so far.
  private let glyphMasks: GlyphMaskStore
  /// The number of changes of the settings since the book was opened.
  package let generation: Int
  /// The generation in which the fonts were opened.
  private let fontGeneration: Int

  private static func furniture(of publication: Publication, _ settings: TypesettingSettings) -> TypedStylesheet? {
    let design = settings.pageDesign
    guard settings.media == .print, !settings.isFlush, !design.isDisjoint(with: .furniture),
      settings.style == .house || publication.kind.isPlain
    else { return nil }
    var parts: PageFurnitureParts = []
    if design.contains(.folios) { parts.insert(.folios) }
    if design.contains(.runningHeads) { parts.insert(.heads) }
    if design.isSuperset(of: [.mirroredMargins, .bookMargins]) { parts.insert(.margins) }
    return UserAgentSheet.furniture(parts, title: publication.metadata.title)
  }

  /// The same with nothing made yet: fonts, pictures of vectors and style sheets are given up all at once.
  package convenience init(renewing old: BookResources) {
    self.init(
      publication: old.publication, settings: old.chosenSettings, imageCapacity: old.images.capacity,
      glyphCapacity: old.glyphMasks.capacity, generation: old.generation, losses: old.losses)
  }

  /// The same book under other settings: what they do not touch is shared.
  ///
  /// - Parameter keepsPages: `true` if its pages stay the same.
  package init(_ old: BookResources, settings: TypesettingSettings, keepsPages: Bool = false) {
    losses = keepsPages ? old.losses : LossRegister()
    publication = old.publication
    chosenSettings = settings
    let settings = settings.resolved
    self.settings = settings
    let usesSameFonts = Self.usesSameFonts(old.settings, settings)
    fonts = usesSameFonts ? old.fonts : Self.fontLibrary(settings)
    fontBooks = usesSameFonts ? old.fontBooks : FontBooks(library: fonts, publication: publication)
    glyphMasks = usesSameFonts ? old.glyphMasks : GlyphMaskStore(capacity: old.glyphMasks.capacity)
    glyphShapes = usesSameFonts ? old.glyphShapes : GlyphShapes(fonts: fonts)
    images = old.images
    styleSheets = old.styleSheets
    ruleSets = old.ruleSets
    endnotes = old.endnotes
    userSheets =
      settings.userStyleSheet == old.settings.userStyleSheet
      ? old.userSheets : Self.sheets(settings.userStyleSheet ?? "")
    readerSheets =
      settings.readerSheet == old.settings.readerSheet ? old.readerSheets : Self.sheets(settings.readerSheet)
    furniture = Self.furniture(of: publication, settings)
    generation = old.generation + 1
    fontGeneration = usesSameFonts ? old.fontGeneration : generation
  }

  /// - Parameters:
  ///   - imageCapacity: Bytes of images to keep.
  ///   - glyphCapacity: Bytes of drawn glyphs to keep.
  ///   - keepsImageSources: `true` if the images' files are to be had after they are drawn.
  package init(
    publication: Publication, settings: TypesettingSettings, imageCapacity: Int = 64 << 20,
    glyphCapacity: Int = 24 << 20, keepsImageSources: Bool = false, generation: Int = 0,
    losses: LossRegister = LossRegister()
  ) {
    self.losses = losses
    self.publication = publication
    chosenSettings = settings
    let settings = settings.resolved
    self.settings = settings
    fonts = Self.fontLibrary(settings)
    fontBooks = FontBooks(library: fonts, publication: publication)
    glyphShapes = GlyphShapes(fonts: fonts)
    glyphMasks = GlyphMaskStore(capacity: glyphCapacity)
    images = ImageStore(limits: settings.limits, capacity: imageCapacity, keepsSources: keepsImageSources)
    styleSheets = StylesheetCache()
    ruleSets = RuleSetCache()
    endnotes = EndnoteDocuments()
    userSheets = Self.sheets(settings.userStyleSheet ?? "")
    readerSheets = Self.sheets(settings.readerSheet)
    furniture = Self.furniture(of: publication, settings)
    self.generation = generation
    fontGeneration = generation
  }

  private static func usesSameFonts(_ a: TypesettingSettings, _ b: TypesettingSettings) -> Bool {
    a.serif == b.serif && a.sans == b.sans && a.mono == b.mono && a.fontDirectories == b.fontDirectories
      && a.usesSystemFonts == b.usesSystemFonts
  }

  /// The sheets that the reader's settings make of a page.
  func userSheets(isFixedLayout: Bool) -> [TypedStylesheet] { isFixedLayout ? userSheets : userSheets + readerSheets }

  /// One sheet; none where it is empty.
  private static func sheets(_ text: String) -> [TypedStylesheet] {
    text.isEmpty ? [] : [TypedStylesheet(parsing: Array(text.utf8), context: ValueContext())]
  }

  private static func fontLibrary(_ settings: TypesettingSettings) -> FontLibrary {
    var generic: [GenericFamily: String] = [:]
    if let name = settings.serif { generic[.serif] = name }
    if let name = settings.sans { generic[.sansSerif] = name }
    if let name = settings.mono { generic[.monospace] = name }
    return FontLibrary(
      directories: settings.fontDirectories, usesSystemFonts: settings.usesSystemFonts, genericFamilies: generic)
  }

  /// Bytes of drawn glyphs.
  package var glyphBytes: Int { glyphMasks.byteCount }

  /// A renderer of pages, for one task.
  package func renderer() -> RasterRenderer { RasterRenderer(fonts: fonts, images: images, masks: glyphMasks) }

  /// About the memory that stays as long as these resources do, in bytes.
  package var heldBytes: Int { fonts.byteCount + images.vectorBytes + styleSheets.byteCount }

  /// The bytes of a file of the book; nil when there is none.
  package func bytes(at path: String) -> [UInt8]? { try? publication.resource(at: path) }

  /// Drawings whose HTML shows pictures may stand in each other so often: files that name each other end here.
  private static let deepestDrawing = 2

  /// The image a URL means that stands in the file at `base`.
  ///
  /// - Parameter nesting: How many drawings in files stand around it.
  package func image(_ href: String, relativeTo base: String, nesting: Int = 0) -> ImageID? {
    if href.hasPrefix("data:") { return image(at: href, nesting: nesting) }
    guard let target = publication.resolve(href, relativeTo: base) else { return nil }
    return image(at: target.path, nesting: nesting)
  }

  /// The library for want of which a picture cannot be shown that was asked for before.
  func missingDecoder(_ reference: BoxResources.PictureReference, relativeTo base: String) -> MissingDecoder? {
    var paths: [String] = []
    switch reference {
    case .drawing: return MissingDecoder(for: .svg)
    case .href(let href) where href.hasPrefix("data:"): paths = [href]
    case .href(let href):
      if let target = publication.resolve(href, relativeTo: base) {
        paths = publication.manifest.picturePaths(for: target.path)
      }
    case .path(let path): paths = path.hasPrefix("data:") ? [path] : publication.manifest.picturePaths(for: path)
    }
    return paths.lazy.compactMap { self.images.missingDecoder(ofImageAt: $0) }.first
  }

  /// The image at a path in the book or in a `data:` URL, or the one that the manifest has in its place; nil when it is missing
  /// or broken.
  package func image(at path: String, nesting: Int = 0) -> ImageID? {
    guard nesting <= Self.deepestDrawing else { return nil }
    func prepare(_ source: [UInt8]) -> PreparedDrawing? {
      DrawingFile.prepared(source, path: path, resources: self, nesting: nesting + 1)
    }
    if path.hasPrefix("data:") {
      let id = images.image(
        path: path, load: { decodeDataURL(path) }, generation: fontGeneration, prepare: prepare)
      return images.info(id).isBroken ? nil : id
    }
    let publication = publication
    for path in publication.manifest.picturePaths(for: path) {
      let id = images.image(
        path: path, load: { try? publication.resource(at: path) }, generation: fontGeneration, prepare: prepare,
        resolveReference: resolver(relativeTo: path))
      if !images.info(id).isBroken { return id }
    }
    return nil
  }

  /// The drawing at a path in the book or in a `data:` URL, as a document; nil when it is missing or broken.
  package func drawing(at path: String) -> Document? {
    guard let bytes = path.hasPrefix("data:") ? decodeDataURL(path) : bytes(at: path) else { return nil }
    return XMLReader.read(bytes, limits: settings.limits, recovering: true).document
  }

  /// The files that references in the file at `base` mean.
  private func resolver(relativeTo base: String) -> ImageStore.Resolver {
    { [publication] reference in
      if reference.hasPrefix("data:") { return decodeDataURL(reference) }
      return publication.resolve(reference, relativeTo: base).flatMap { try? publication.resource(at: $0.path) }
    }
  }

  /// An inline `<svg>` of the document at `base`.
  func inlineSVG(_ drawing: InlineSVG, base: String, nesting: Int = 0) -> ImageID? {
    let id = images.addInlineSVG(
      drawing.markup, base: base, parts: parts(of: drawing), resolveReference: resolver(relativeTo: base))
    // A picture that is missing is told.
    _ = framedPicture(in: id, nesting: nesting)
    return images.info(id).isBroken ? nil : id
  }

  /// The place of the picture in a drawing of nothing else, and the picture; nil for all other images.
  func framedPicture(in drawing: ImageID, nesting: Int = 0) -> (frame: PictureFrame, picture: ImageID)? {
    guard let (frame, link, base) = images.framedPicture(in: drawing),
      let picture = image(link, relativeTo: base, nesting: nesting), images.info(picture).kind != .svg
    else { return nil }
    return (frame, picture)
  }

  /// The paths of a drawing's texts; nil without any.
  private func parts(of drawing: InlineSVG) -> DrawingParts? {
    let identity = drawing.identity
    guard !identity.isEmpty else { return nil }
    return DrawingParts(identity: identity, generation: fontGeneration) { drawing.completed($0) }
  }

  /// Access to the images for painting; masks are those of one chapter.
  func paintImages(nesting: Int = 0) -> PaintImages {
    var access = PaintImages(
      image: { self.image(at: $0, nesting: nesting) }, natural: { self.naturalDimensions($0) })
    access.presented = { self.images.image($0, presented: $1) }
    access.framed = { self.framedPicture(in: $0, nesting: nesting) }
    access.drawing = { self.drawing(at: $0) }
    return access
  }

  func naturalDimensions(_ id: ImageID) -> NaturalDimensions {
    let info = images.info(id)
    return NaturalDimensions(
      width: info.width.map { LayoutUnit($0) }, height: info.height.map { LayoutUnit($0) },
      ratio: info.aspectRatio.map { Double($0) })
  }
}

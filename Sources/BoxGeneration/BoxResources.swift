package import CSS
package import Fonts
package import ImageCodecs
import Markup
package import Primitives
package import Styling
package import Text

/// Resources and settings that box generation asks the chapter for.
package struct BoxResources {
  /// A picture as a document or a style names it.
  package enum PictureReference {
    /// By an attribute, relative to the document.
    case href(String)
    /// By a path in the container or a `data:` URL.
    case path(String)
    /// An inline `<svg>`.
    case drawing
  }

  /// The image that an element's attribute refers to, relative to the document; nil when there is none to show.
  package var image: (_ href: String) -> ImageID?
  /// The image that a style names: a path in the container or a `data:` URL, already resolved.
  package var styleImage: (_ path: String) -> ImageID?
  /// An image as a style shows its pixels.
  package var presentedImage: (ImageID, ImagePresentation) -> ImageID = { image, _ in image }
  /// An inline `<svg>` as an image.
  package var inlineSVG: (InlineSVG) -> ImageID?
  /// The library for want of which a picture cannot be shown that was asked for before.
  package var missingDecoder: (PictureReference) -> MissingDecoder? = { _ in nil }
  /// Shapes a text of a drawing.
  package var shape: (_ store: AttributedTextStore, _ text: TextID) -> ShapedDrawingText = { _, _ in ShapedDrawingText()
  }
  /// Sets the HTML in an element `foreignObject` of a drawing of a size; nil where that cannot be done.
  package var foreignObject: (NodeID, StyledTree, Size) -> ForeignContent? = { _, _, _ in nil }
  /// The lines of text that an image shows, where it is a drawing of which they are known.
  package var imageTexts: (ImageID) -> [String] = { _ in [] }
  /// The outline of a glyph of a face, asked for when a drawing is first drawn.
  package var outlines: @Sendable (FontID, _ glyph: UInt16) -> [OutlineStep] = { _, _ in [] }
  /// The font size that `shape` takes relative sizes of, in px.
  package var rootFontSize: Float = 16
  /// The BCP 47 tag that text without `lang` has: the publication's language, lower-case; empty when unknown.
  package var language: String
  package var limits: Limits
  /// The document's own file name, by which links to its notes may begin; empty when it has none.
  package var documentName = ""
  /// The book's notes (`NoteRole`) are set at the foot of the page of their mark.
  package var movesNotes = false
  /// Formulas are set as books want them where MathML Core has less: lines may break in them, and signs over a base are
  /// accents by nature.
  package var extendsFormulas = false
  /// Notes of other documents that the chapter's document has been given, by the links that name them.
  package var importedNotes: [NodeID: NodeID] = [:]
  /// Counters in scope around the root element, and named strings: what the margin boxes of a page show.
  package var counters: [String: Int32] = [:]
  package var namedString: (String, NamedStringPosition) -> String = { _, _ in "" }
  /// Cross references of content to other elements and pages.
  package var references = ContentReferences()
  /// Elements are left out once this is requested.
  package var cancellation = Cancellation()

  package init(
    image: @escaping (String) -> ImageID? = { _ in nil }, styleImage: @escaping (String) -> ImageID? = { _ in nil },
    inlineSVG: @escaping (InlineSVG) -> ImageID? = { _ in nil }, language: String = "", limits: Limits = Limits()
  ) {
    self.image = image
    self.styleImage = styleImage
    self.inlineSVG = inlineSVG
    self.language = language
    self.limits = limits
  }
}

/// What stands in an element `foreignObject`, as elements of SVG.
package struct ForeignContent: Sendable {
  /// From the corner of the element.
  package var markup: String
  /// All that is painted is in it.
  package var isWhole: Bool

  package init(markup: String, isWhole: Bool) {
    self.markup = markup
    self.isWhole = isWhole
  }
}

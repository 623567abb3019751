import Publications

extension Book {
  /// A base direction of text that is shown by itself, such as a title.
  public enum Direction: String, Hashable, Sendable, Codable {
    /// From left to right.
    case leftToRight = "ltr"
    /// From right to left.
    case rightToLeft = "rtl"

    init(_ direction: Publications.Metadata.Direction) {
      self = direction == .leftToRight ? .leftToRight : .rightToLeft
    }
  }

  /// Rendition properties of a book, or of one of its chapters (EPUB 3.3, sections 8.2 and 8.3). A screen decides:
  /// pages are set in the page of the settings whatever is asked for.
  public struct Rendition: Hashable, Sendable, Codable {
    /// `rendition:layout`.
    public enum Layout: String, Hashable, Sendable, Codable {
      /// Text fills the pages there are.
      case reflowable
      /// Each document is one page of fixed design.
      case prePaginated = "pre-paginated"
      /// The documents follow each other without a gap (EPUB 3.4).
      case roll
    }
    /// `rendition:flow`: what becomes of content that is longer than a page.
    public enum Flow: String, Hashable, Sendable, Codable {
      /// As the reader likes.
      case auto
      /// It goes on to further pages.
      case paginated
      /// It is scrolled, and the whole book is one strip.
      case scrolledContinuous = "scrolled-continuous"
      /// It is scrolled, each document by itself.
      case scrolledDocument = "scrolled-doc"
    }
    /// `rendition:orientation`.
    public enum Orientation: String, Hashable, Sendable, Codable {
      /// Either.
      case auto
      /// Wider than high.
      case landscape
      /// Higher than wide.
      case portrait
    }
    /// `rendition:spread`: when two pages are shown side by side.
    public enum SyntheticSpread: String, Hashable, Sendable, Codable {
      /// As the reader likes.
      case auto
      /// Never.
      case none
      /// Landscape: the screen is wider than high.
      case landscape
      /// However the screen is turned.
      case both
    }
    /// The layout of pages: reflowable or pre-paginated.
    public var layout: Layout = .reflowable
    /// The flow of content that is longer than a page.
    public var flow: Flow = .auto
    /// The orientation that the screen is best turned to.
    public var orientation: Orientation = .auto
    /// When two pages are shown side by side.
    public var spread: SyntheticSpread = .auto

    /// A reflowable book that asks for nothing.
    package static let plain = Rendition()

    init() {}

    init(_ metadata: Publications.Metadata) {
      layout = Layout(rawValue: metadata.layout.rawValue) ?? .reflowable
      flow = metadata.flow.flatMap(Flow.init) ?? .auto
      orientation = metadata.orientation.flatMap(Orientation.init) ?? .auto
      spread = metadata.spread.flatMap(Self.spread) ?? .auto
    }

    /// The rendition of the package with what a spine item overrides; of two overrides of one property the first counts
    /// (EPUB Reading Systems 3.3, section 3.5).
    init(_ item: SpineItem, in publication: Publication) {
      self.init(publication.metadata)
      func override<Value>(_ name: String, _ value: (String) -> Value?) -> Value? {
        let prefix = "rendition:\(name)-"
        for property in item.properties where property.hasPrefix(prefix) {
          if let value = value(String(property.dropFirst(prefix.count))) { return value }
        }
        return nil
      }
      layout = override("layout", Layout.init) ?? layout
      flow = override("flow", Flow.init) ?? flow
      orientation = override("orientation", Orientation.init) ?? orientation
      spread = override("spread", Self.spread) ?? spread
    }

    /// `portrait` was `both` before EPUB 3.3.
    private static func spread(_ value: String) -> SyntheticSpread? {
      value == "portrait" ? .both : SyntheticSpread(rawValue: value)
    }
  }
}

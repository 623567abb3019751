/// Bounds that stop hostile content. Each is far above what books use; reaching one is a diagnostic, never a crash.
public struct Limits: Hashable, Sendable {
  /// Bytes one entry of a container may unpack to.
  public var bytesPerEntry = 256 << 20
  /// Bytes a markup document, style sheet or plain text may have.
  public var bytesPerText = 128 << 20
  /// Elements nested in each other; deeper ones become children of the last level, as in browsers, which is a warning. What is
  /// above `greatestDepth` counts as that.
  public var depth = 400
  /// The most that `depth` can allow: the library's threads have room for as many levels of any kind of box.
  public static let greatestDepth = 400
  /// Nodes of one document.
  public var nodes = 8_000_000
  /// Pixels of one decoded image; larger ones are scaled while read or refused.
  public var imagePixels = 64_000_000
  /// Style sheets one chapter may pull in, imports included.
  public var styleSheets = 200
  /// Nesting of `@import`.
  public var importDepth = 32
  /// Pages of one chapter.
  public var pagesPerChapter = 100_000
  /// Items read from a spine.
  public var spineItems = 100_000
  /// Cells a row span or column span may cover.
  public var tableSpan = 1000
  /// Bounds far above what books use.
  public init() {}
}

import Markup
import Platform
public import Primitives
import Publications

/// A stretch of text to be read aloud in one go: a sentence, or what one clip of a recording holds.
public struct Utterance: Hashable, Sendable {
  /// The text to be read, white space collapsed.
  public var text: String
  /// The source of the text.
  public var range: Range<Locator>
  /// BCP 47 tag, lower-case; empty when unknown.
  public var language: String
  /// Places of the text, in order; more than one when it crosses pages.
  public var places: [Place]
  /// The recording of it, in books with media overlays; nil for what is to be read by a voice of the reader's.
  public var audio: AudioClip?
  /// Types of the structure it belongs to, as media overlays say (`OverlayClip.types`).
  public var types: [String] = []

  /// A part of it on one page.
  public struct Place: Hashable, Sendable {
    /// The page's index in its chapter.
    public var page: Int
    /// CSS px from the page's top left corner.
    public var rectangles: [Rect]
    /// The first character that stands there: where to turn the page while reading.
    public var start: Locator
  }
}

/// A part of a recording.
public struct AudioClip: Hashable, Sendable, Codable {
  /// Path in the book (`Book.resource(at:)`).
  public var path: String
  /// Seconds.
  public var start: Double
  /// Seconds; nil for the end of the recording.
  public var end: Double?
}

/// A part of a chapter that a media overlay reads (a `par` of EPUB 3.3, section 9).
public struct OverlayClip: Hashable, Sendable {
  /// The text that is spoken.
  public var range: Range<Locator>
  /// The recording of it; nil for what is to be read by a voice of the reader's.
  public var audio: AudioClip?
  /// The `epub:type`s of the clip and of what it lies in, the outermost first, such as `pagebreak`, `footnote` or `table`: parts
  /// that a listener may want skipped or left (EPUB 3.3, section 9).
  public var types: [String]
}

extension ChapterLayout {
  /// The sentences of the chapter in reading order, from the one that holds a place.
  public func sentences(from locator: Locator? = nil) -> [Utterance] {
    let start = locator.flatMap { $0.chapter == chapter ? text.locate($0.position) : nil }
    var found: [Utterance] = []
    for paragraph in text.paragraphs.indices
    where paragraph >= start?.paragraph ?? 0 {
      for units in text.sentences(of: paragraph) {
        if let start, paragraph == start.paragraph, units.upperBound <= start.unit { continue }
        let string = text.string(units, of: paragraph)
        guard string.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
        found.append(utterance(string, text.locators(units, of: paragraph), language: text.language(of: paragraph)))
      }
    }
    return found
  }

  /// The clips of a recording that lie in the chapter, with the text they read and where it stands.
  public func utterances(_ clips: [OverlayClip]) -> [Utterance] {
    clips.compactMap { clip in
      guard let positions = clip.range.positions(in: chapter) else { return nil }
      let language = text.locate(positions.lowerBound).map { text.language(of: $0.paragraph) } ?? ""
      var made = utterance(text.string(positions), clip.range, language: language)
      made.audio = clip.audio
      made.types = clip.types
      return made
    }
  }

  private func utterance(_ string: String, _ range: Range<Locator>, language: String) -> Utterance {
    var places: [Utterance.Place] = []
    for page in pages(of: range) {
      let rectangles = selectionRectangles(range, on: page)
      guard !rectangles.isEmpty else { continue }
      let start = places.isEmpty ? range.lowerBound : maps[page].start.locator(chapter: chapter)
      places.append(.init(page: page, rectangles: rectangles, start: start))
    }
    return Utterance(
      text: string.split(whereSeparator: \.isWhitespace).joined(separator: " "), range: range, language: language,
      places: places)
  }
}

extension Book {
  /// Clips of the media overlay of a chapter (EPUB 3.3, section 9), in order; empty when there is none.
  ///
  /// `ChapterLayout.utterances(_:)` tells the text of the clips and where it stands.
  public func mediaOverlay(of chapter: Int) async -> [OverlayClip] {
    guard publication.spine.indices.contains(chapter),
      let item = publication.manifest.item(path: publication.spine[chapter].path),
      let overlay = item.mediaOverlay.flatMap({ publication.manifest.item(id: $0) })
    else { return [] }
    return await Worker.perform {
      guard let bytes = try? self.publication.resource(at: overlay.path) else { return [] }
      let document = MarkupReader.read(bytes, as: .xml, resource: overlay.path).document
      return SMILReader(book: self, document: document, path: overlay.path).clips(of: chapter)
    }
  }
}

/// Reads the `par` elements of a SMIL document.
private struct SMILReader {
  let book: Book
  let document: Document
  let path: String

  func clips(of chapter: Int) -> [OverlayClip] {
    let source = book.source(of: chapter)
    var clips: [OverlayClip] = []
    for index in document.nodes.indices where isElement(index, "par") {
      var range: Range<Locator>?
      var audio: AudioClip?
      for child in document.children(of: NodeID(index)) {
        if isElement(child.index, "text") { range = textRange(child, chapter, source) }
        if isElement(child.index, "audio") { audio = audioClip(child) }
      }
      if let range { clips.append(OverlayClip(range: range, audio: audio, types: types(of: NodeID(index)))) }
    }
    return clips
  }

  private func isElement(_ index: Int, _ name: String) -> Bool {
    document.nodes[index].kind == .element && document.names.name(of: document.nodes[index].name) == name
  }

  private func value(_ name: String, of node: NodeID) -> String? {
    document[node].range.lazy.map { document.attributes[Int($0)] }
      .first { document.names.name(of: $0.name) == name }.map { document.string($0.value) }
  }

  /// The types of a node and those around it, the outermost first.
  private func types(of node: NodeID) -> [String] {
    var types: [String] = []
    var node = node
    while !node.isNone, document[node].kind == .element {
      let own = document.attributeValue(.epubType, of: node) ?? ""
      types = own.split(whereSeparator: \.isWhitespace).map(String.init) + types
      node = document[node].parent
    }
    return types
  }

  private func textRange(_ node: NodeID, _ chapter: Int, _ source: ChapterSource) -> Range<Locator>? {
    guard let target = value("src", of: node).flatMap({ book.publication.resolve($0, relativeTo: path) }),
      book.publication.spineIndex(of: target.path) == chapter
    else { return nil }
    // Without a fragment all of the document is meant.
    guard let element = target.fragment.map({ source.element(fragment: $0) }) ?? source.document.root else {
      return nil
    }
    let start = Locator(chapter: chapter, node: element, offset: 0)
    return start..<Locator(chapter: chapter, node: source.document[element].subtreeEnd, offset: 0)
  }

  private func audioClip(_ node: NodeID) -> AudioClip? {
    guard let target = value("src", of: node).flatMap({ book.publication.resolve($0, relativeTo: path) }) else {
      return nil
    }
    return AudioClip(
      path: target.path, start: value("clipBegin", of: node).flatMap(ClockValue.seconds) ?? 0,
      end: value("clipEnd", of: node).flatMap(ClockValue.seconds))
  }

}

/// Times as media overlays write them.
enum ClockValue {
  /// The seconds of a clock value (SMIL 3, section 5.4.2): `1:02:03.5`, `02:03.5`, `3.2h`, `76min`, `12.5s`, `450ms`.
  static func seconds(_ text: String) -> Double? {
    let text = text.split(whereSeparator: \.isWhitespace).joined()
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 1 {
      guard parts.count <= 3 else { return nil }
      var total = 0.0
      for part in parts {
        guard let value = number(part) else { return nil }
        total = total * 60 + value
      }
      return total
    }
    for (suffix, factor) in [("ms", 0.001), ("min", 60), ("h", 3600), ("s", 1)] as [(String, Double)]
    where text.hasSuffix(suffix) {
      return number(text.dropLast(suffix.count)).map { $0 * factor }
    }
    return number(text[...])
  }

  private static func number(_ text: Substring) -> Double? {
    guard let first = text.first, first.isNumber || first == ".", let value = Double(text), value.isFinite else {
      return nil
    }
    return value
  }
}

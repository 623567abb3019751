import ChapterEngine
import Layout
import PDFRendering
import Platform
public import Primitives
import Publications
import RasterRendering
import Shaping
import Synchronization

/// Settings of a PDF of a book.
public struct PDFSettings: Hashable, Sendable {
  /// A standard that a file can conform to.
  public enum Standard: Hashable, Sendable {
    /// PDF/A-2u (ISO 19005-2).
    case a2u
    /// PDF/A-2a (ISO 19005-2): as PDF/A-2u, and tagged.
    case a2a
    /// PDF/UA-1 (ISO 14289-1), which asks for a title, a language, and a text for each picture.
    case ua1
  }
  /// Standards that the file has to conform to.
  public var standards: Set<Standard>
  /// Seconds since 1970 that the file tells as the time of its making; nil for none, so that equal books give equal bytes.
  public var creationTime: Int?

  /// A file that conforms to PDF/A-2u, unless told otherwise.
  public init(standards: Set<Standard> = [.a2u], creationTime: Int? = nil) {
    self.standards = standards
    self.creationTime = creationTime
  }

  fileprivate var claims: PDFStandards {
    var claims: PDFStandards = []
    if standards.contains(.a2u) { claims.insert(.a2u) }
    if standards.contains(.a2a) { claims.insert(.a2a) }
    if standards.contains(.ua1) { claims.insert(.ua1) }
    return claims
  }
}

extension Typesetter {
  /// Sets the whole book as one PDF: tagged, with its outline and links, its text to be searched and copied.
  ///
  /// - Parameters:
  ///   - settings: The standards that the file has to conform to, and its parts.
  ///   - write: Takes the file's next bytes, page by page, on a thread of its own.
  /// - Returns: Warnings of the file: faces whose licences forbid to embed them (`font-not-embedded`), links that lead nowhere
  ///   (`dead-link`), and characters that no font has (`missing-glyph`).
  /// - Throws: `BookError` of kind `nonconforming` where the book lacks what a standard asks for, what `write` throws, and
  ///   `CancellationError` when the task is cancelled.
  @discardableResult
  public func pdf(
    _ settings: PDFSettings = PDFSettings(), write: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> [Diagnostic] {
    let resources = state.withLock(\.resources)
    let cancellation = Cancellation()
    let result: Result<[Diagnostic], any Error> = await withTaskCancellationHandler {
      await Worker.perform {
        Result { try BookPDFWriter(resources, settings, cancellation, write).run() }
      }
    } onCancel: {
      cancellation.request()
    }
    return try result.get()
  }
}

extension Typesetter {
  /// Faults that keep the book from PDF/UA-1 (ISO 14289-1): a missing title or language, and each picture that no text
  /// stands for, with its place. Empty where nothing does. Nothing is laid out.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func accessibilityFaults() async throws -> [Diagnostic] {
    let resources = state.withLock(\.resources)
    let cancellation = Cancellation()
    let faults = await withTaskCancellationHandler {
      await Worker.perform { resources.accessibilityFaults(cancellation) }
    } onCancel: {
      cancellation.request()
    }
    if cancellation.isRequested { throw CancellationError() }
    return faults
  }
}

/// The chapters of a book one after the other, into one file.
private final class BookPDFWriter {
  private let resources: BookResources
  private let settings: PDFSettings
  private let cancellation: Cancellation
  private let write: ([UInt8]) throws -> Void
  private let shaping: ShapingResources
  private let encoder: PageEncoder
  private var document: PDFDocument
  /// The state of the book behind the pages written.
  private var bookState = PageState()
  /// The characters on the pages written that no font has.
  private var missing = MissingCharacters()

  init(
    _ resources: BookResources, _ settings: PDFSettings, _ cancellation: Cancellation,
    _ write: @escaping ([UInt8]) throws -> Void
  ) {
    self.resources = resources
    self.settings = settings
    self.cancellation = cancellation
    self.write = write
    shaping = ShapingResources(hyphenator: resources.settings.hyphenator())
    encoder = resources.pageEncoder()
    document = resources.pdfDocument()
  }

  func run() throws -> [Diagnostic] {
    let publication = resources.publication
    if settings.standards.contains(.ua1) {
      if let lack = publication.lackForAccessibility { throw BookError(.nonconforming, lack) }
    }
    for chapter in publication.spine.indices { try set(chapter) }
    let diagnostics = document.finish(
      publication.pdfInformation(
        producer: "typeset \(EngineVersion.current)", standards: settings.claims, creationTime: settings.creationTime),
      outline: publication.pdfOutline, labels: publication.pdfLabels)
    try write(document.takeOutput())
    return diagnostics.diagnostics + missing.diagnostics(resources.fonts)
  }

  private func set(_ chapter: Int) throws {
    var pipeline = ChapterPipeline(
      resources, index: chapter, shapingResources: shaping, cancellation: cancellation)
    pipeline.recordsClusters = true
    let isAbsolute = pipeline.dependsOnEarlierPages
    if isAbsolute { pipeline.state = bookState }
    var tagger: PageTagger?
    /// A blank first page: dropped if it stays the only one.
    var held: EncodedPDFPage?
    var count = 0
    while let page = pipeline.nextPage() {
      if cancellation.isRequested { throw CancellationError() }
      count += 1
      let isBlank = count == 1 && page.lines.isEmpty && pipeline.isBlank(page)
      guard var own = tagger ?? pipeline.makeTagger(bookLanguage: resources.publication.metadata.language) else {
        break
      }
      tagger = nil
      let encoded = encoder.encode(pipeline.paint(page, tagging: &own))
      missing.add(pipeline.lossesOfPainted(page).characters)
      tagger = own
      if settings.standards.contains(.ua1), let lack = own.lackForAccessibility {
        throw BookError(.nonconforming, part: pipeline.item.path, lack)
      }
      if isBlank {
        held = encoded
        continue
      }
      if let blank = held { document.append(blank, index: document.pageCount, chapter: chapter) }
      held = nil
      document.append(encoded, index: document.pageCount, chapter: chapter)
      try write(document.takeOutput())
    }
    if cancellation.isRequested { throw CancellationError() }
    if let tagger { document.finish(chapter: chapter, tagger.structure) }
    if held == nil { bookState.advance(over: pipeline.state, isAbsolute: isAbsolute) }
  }
}

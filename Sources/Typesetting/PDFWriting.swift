import BookEngine
import ChapterEngine
public import FoundationEssentials
import PDFRendering
import Platform
public import Primitives
import Publications
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
  /// The time that the file tells as that of its making, in whole seconds; nil for none, so that equal books give equal
  /// bytes.
  public var creationDate: Date?

  /// A file that conforms to PDF/A-2u, unless told otherwise.
  public init(standards: Set<Standard> = [.a2u], creationDate: Date? = nil) {
    self.standards = standards
    self.creationDate = creationDate
  }

  fileprivate var conformance: PDFStandards {
    var conformance: PDFStandards = []
    if standards.contains(.a2u) { conformance.insert(.a2u) }
    if standards.contains(.a2a) { conformance.insert(.a2a) }
    if standards.contains(.ua1) { conformance.insert(.ua1) }
    return conformance
  }
}

/// How far the writing of a PDF has come.
public struct PDFProgress: Hashable, Sendable {
  /// Pages that are complete.
  public var pages: Int
  /// Chapters that are complete.
  public var chapters: Int
  /// Chapters of the book.
  public var chapterCount: Int
}

extension Typesetter {
  /// Sets the whole book as one PDF: tagged, with its outline and links, its text to be searched and copied.
  ///
  /// - Parameters:
  ///   - settings: The standards that the file has to conform to, and its parts.
  ///   - progress: Told when a page or a chapter is complete, on the threads of `write`, one at a time.
  ///   - write: Takes the file's next bytes, page by page, on threads of its own, one at a time.
  /// - Returns: Warnings of the file: faces whose licences forbid to embed them (`font-not-embedded`), links that lead nowhere
  ///   (`dead-link`), and characters that no font has (`missing-glyph`).
  /// - Throws: `BookError` of kind `nonconforming` where the book lacks what a standard asks for, what `write` throws, and
  ///   `CancellationError` when the task is cancelled.
  @discardableResult
  public func pdf(
    _ settings: PDFSettings = PDFSettings(), progress: @escaping @Sendable (PDFProgress) -> Void = { _ in },
    write: @escaping @Sendable (Data) throws -> Void
  ) async throws -> [Diagnostic] {
    let resources = state.withLock(\.resources)
    let cancellation = Cancellation()
    let result: Result<[Diagnostic], any Error> = await withTaskCancellationHandler {
      await Worker.perform {
        Result { try Self.writePDF(of: resources, settings, cancellation, progress, write) }
      }
    } onCancel: {
      cancellation.request()
    }
    return try result.get()
  }

  private static func writePDF(
    of resources: BookResources, _ settings: PDFSettings, _ cancellation: Cancellation,
    _ progress: @escaping @Sendable (PDFProgress) -> Void, _ write: @escaping @Sendable (Data) throws -> Void
  ) throws -> [Diagnostic] {
    let callback = Callback(write)
    let output = try PDFOutput(
      resources,
      PDFOutput.Metadata(
        producer: EngineVersion.producer, standards: settings.conformance,
        creationTime: settings.creationDate.map { Int(clamping: Int64($0.timeIntervalSince1970)) })
    ) { callback }
    var request = BookPages.Request(chapters: Array(resources.publication.spine.indices))
    request.jobs = ProcessInfo.processInfo.activeProcessorCount
    request.cancellation = cancellation
    // Pages at work are of no use then, nor are the references that they may be waiting for.
    request.giveUp = { cancellation.request() }
    let made = BookPages(resources, request, outputs: [output]) {
      progress(PDFProgress(pages: $0.pages, chapters: $0.chapters, chapterCount: $0.chapterCount))
    }.run()
    if let error = callback.error { throw error }
    if let error = made.error { throw error.kind == .interrupted ? CancellationError() : error }
    return made.outputs.diagnostics + made.missing.diagnostics(resources.fonts)
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

/// Hands the bytes of an output to who asked for it, and keeps what that throws.
private final class Callback: ByteDestination {
  private let write: @Sendable (Data) throws -> Void
  private let failure = Lock<(any Error)?>(nil)
  /// What `write` has thrown.
  var error: (any Error)? { failure.withLock { $0 } }

  init(_ write: @escaping @Sendable (Data) throws -> Void) { self.write = write }

  func append(_ bytes: [UInt8]) throws(BookError) {
    do { try write(Data(bytes)) } catch {
      failure.withLock { $0 = error }
      throw BookError(.unwritable, "the bytes are not taken")
    }
  }

  func finish() {}
}

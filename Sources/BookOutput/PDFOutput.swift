import ChapterEngine
package import PDFRendering
import Platform
import Primitives
import Publications
import Typesetting

/// Options of a PDF.
package struct PDFOptions: Sendable {
  package var target: OutputTarget
  /// Standards that the file has to conform to; empty for PDF/A-2u, whatever that lacks for others being a warning.
  package var standards: PDFStandards = []
  /// Seconds since 1970 that are told as the time of making; nil for none.
  package var creationTime: Int?

  package init(target: OutputTarget) { self.target = target }
}

/// The PDF of a run: written as pages come, in order. Not to be used by two threads at once.
final class PDFOutput {
  private let options: PDFOptions
  private let publication: Publication
  private let stream: OutputStream
  private var document: PDFDocument
  /// The structures of chapters that are laid out.
  private var structures: [Int: ChapterStructure] = [:]

  init(_ options: PDFOptions, _ resources: BookResources) throws(BookError) {
    self.options = options
    publication = resources.publication
    if options.standards.contains(.ua1), let lack = publication.lackForAccessibility {
      throw BookError(.nonconforming, lack)
    }
    stream = try OutputStream(options.target)
    document = resources.pdfDocument()
  }

  /// Adds a page.
  ///
  /// - Parameter index: Its place in the file, from 0.
  func append(_ page: EncodedPDFPage, index: Int, chapter: Int) throws(BookError) {
    document.append(page, index: index, chapter: chapter)
    try stream.append(document.takeOutput())
  }

  /// Keeps the structure of a chapter until all its pages have come.
  func keep(_ structure: ChapterStructure, of chapter: Int) { structures[chapter] = structure }

  /// Writes the structure of a chapter, all of whose pages have come.
  func finish(chapter: Int) throws(BookError) {
    guard let structure = structures.removeValue(forKey: chapter) else { return }
    document.finish(chapter: chapter, structure)
    try stream.append(document.takeOutput())
  }

  /// Writes the end of the file and gives it its name.
  ///
  /// - Parameter isWhole: `true` if all of the book is in it, so that all links lead somewhere.
  /// - Returns: The faults found.
  func finish(isWhole: Bool) throws(BookError) -> DiagnosticSink {
    let standards = options.standards.isEmpty ? .a2u : options.standards
    let diagnostics = document.finish(
      publication.pdfInformation(
        producer: "typeset \(EngineVersion.current)", standards: standards, creationTime: options.creationTime),
      outline: publication.pdfOutline, labels: publication.pdfLabels, isWhole: isWhole)
    try stream.append(document.takeOutput())
    try stream.finish()
    return diagnostics
  }

  /// The error of a picture that keeps the book from a standard that was asked for; nil where none does.
  static func error(for tagger: PageTagger, _ options: PDFOptions, path: String) -> BookError? {
    guard options.standards.contains(.ua1), let lack = tagger.lackForAccessibility else { return nil }
    return BookError(.nonconforming, part: path, lack)
  }
}

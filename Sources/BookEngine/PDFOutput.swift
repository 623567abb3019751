package import ChapterEngine
package import PDFRendering
package import Primitives
import Publications

/// A place that the bytes of an output go to, in order.
package protocol ByteDestination: Sendable {
  func append(_ bytes: [UInt8]) throws(BookError)
  /// Takes the end: what has come is whole.
  func finish() throws(BookError)
}

/// A PDF of a book, written as its pages come.
package final class PDFOutput: PageOutput, @unchecked Sendable {
  /// What a PDF says of itself.
  package struct Metadata: Sendable {
    /// The program that made it, and its version.
    package var producer: String
    /// The standards that the file conforms to.
    package var standards: PDFStandards
    /// Seconds since 1970; nil where none is to be told.
    package var creationTime: Int?

    package init(producer: String, standards: PDFStandards, creationTime: Int?) {
      self.producer = producer
      self.standards = standards
      self.creationTime = creationTime
    }
  }

  /// A page as it waits for those before it.
  package struct Page: Sendable {
    var content: EncodedPDFPage
    var chapter: Int
    /// The page lacks what a standard of the file asks for.
    var error: BookError?
  }

  private let metadata: Metadata
  private let resources: BookResources
  private let destination: any ByteDestination
  private let isTextOnly: Bool
  // Pages are appended by one worker at a time.
  private var document: PDFDocument

  /// - Parameters:
  ///   - isTextOnly: `true` if the file is read and not looked at: pictures and the outlines of glyphs are left out.
  ///   - destination: Asked for once it is known that the book as a whole conforms.
  /// - Throws: What `destination` does; an error of kind `nonconforming` where the book lacks what a standard asks for.
  package init(
    _ resources: BookResources, _ metadata: Metadata, isTextOnly: Bool = false,
    to destination: () throws(BookError) -> any ByteDestination
  ) throws(BookError) {
    if metadata.standards.contains(.ua1), let lack = resources.publication.lackForAccessibility {
      throw BookError(.nonconforming, lack)
    }
    self.metadata = metadata
    self.resources = resources
    self.destination = try destination()
    self.isTextOnly = isTextOnly
    document = resources.pdfDocument(isTextOnly: isTextOnly)
  }

  package var needs: PageNeeds { .tagged }

  package func makeTools() -> PageEncoder { resources.pageEncoder(isTextOnly: isTextOnly) }

  package func prepare(_ page: BookPage, _ encoder: PageEncoder) throws(BookError) -> Page? {
    guard let tagged = page.tagged else { return nil }
    var encoded = Page(content: encoder.encode(tagged), chapter: page.chapter)
    if metadata.standards.contains(.ua1), let lack = page.lackForAccessibility {
      encoded.error = BookError(.nonconforming, part: page.path, lack)
    }
    return encoded
  }

  package func append(_ page: Page?, number: Int) throws(BookError) {
    guard let page else { return }
    // Told in the order of the book, whichever worker found it first.
    if let error = page.error { throw error }
    document.append(page.content, index: document.pageCount, chapter: page.chapter)
    try hand(document.takeOutput())
  }

  package func finish(_ chapter: BookChapter) throws(BookError) {
    guard let structure = chapter.structure else { return }
    document.finish(chapter: chapter.index, structure)
    try hand(document.takeOutput())
  }

  package func finish(_ book: BookEnd) throws(BookError) -> DiagnosticSink {
    guard book.error == nil else { return DiagnosticSink() }
    let publication = resources.publication
    let diagnostics = document.finish(
      publication.pdfInformation(
        producer: metadata.producer, standards: metadata.standards, creationTime: metadata.creationTime),
      outline: publication.pdfOutline, labels: publication.pdfLabels, isWhole: book.isWhole)
    try hand(document.takeOutput())
    try destination.finish()
    return diagnostics
  }

  private func hand(_ bytes: [UInt8]) throws(BookError) { if !bytes.isEmpty { try destination.append(bytes) } }
}

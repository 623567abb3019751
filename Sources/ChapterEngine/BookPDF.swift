import Graphics
package import PDFRendering
package import Primitives
package import Publications
import RasterRendering

/// Metadata and labels of the book for a PDF.
extension Publication {
  /// - Parameters:
  ///   - producer: The program and its version.
  ///   - creationTime: Seconds since 1970; nil where none is to be told.
  package func pdfInformation(producer: String, standards: PDFStandards, creationTime: Int?) -> PDFInformation {
    var information = PDFInformation()
    information.title = metadata.title
    information.creators = metadata.creators.map(\.name)
    // Some packages write `en_US`.
    information.language = String(metadata.language.map { $0 == "_" ? "-" : $0 })
    information.languages =
      metadata.languages.isEmpty && !metadata.language.isEmpty ? [metadata.language] : metadata.languages
    information.subjects = metadata.subjects
    information.identifier = metadata.identifier
    information.description = metadata.description
    information.publisher = metadata.publisher
    information.rights = metadata.rights
    information.date = metadata.date
    information.producer = producer
    information.creationTime = creationTime
    information.isRightToLeft = metadata.pageProgression == .rightToLeft
    information.standards = standards
    return information
  }

  /// The first fault of the book as a whole for PDF/UA-1 (ISO 14289-1, sections 7.1 and 7.2); nil where it lacks
  /// nothing.
  package var lackForAccessibility: String? { accessibilityFaults.first?.message }

  /// Faults that keep the book as a whole from PDF/UA-1.
  package var accessibilityFaults: [Diagnostic] {
    var faults: [Diagnostic] = []
    func add(_ code: String, _ message: String) { faults.append(Diagnostic(.error, code: code, message: message)) }
    if metadata.title.isEmpty { add("no-title", "the book has no title, which PDF/UA-1 asks for") }
    if metadata.language.isEmpty { add("no-language", "the book does not say its language, which PDF/UA-1 asks for") }
    return faults
  }

  /// The table of contents.
  package var pdfOutline: [PDFOutlineEntry] {
    tableOfContents.map { entry in
      PDFOutlineEntry(title: entry.title, destination: destinationName(of: entry.target), level: entry.level)
    }
  }

  /// Page labels: the places where the pages of a printed edition begin, and their labels.
  package var pdfLabels: [(destination: String, label: String)] {
    navigation.pageList.compactMap { entry in destinationName(of: entry.target).map { ($0, entry.title) } }
  }

  private func destinationName(of target: ResourcePath?) -> String? {
    guard let target, let chapter = spineIndex(of: target.path) else { return nil }
    return DestinationName.name(chapter: chapter, fragment: target.fragment)
  }
}

/// The names of places in a PDF, which other documents and viewers can open it at: `c3` for the third item of the spine, and
/// `c3#id` for an element of it.
enum DestinationName {
  static func name(chapter: Int, fragment: String? = nil) -> String {
    let name = "c\(chapter + 1)"
    return fragment.map { $0.isEmpty ? name : "\(name)#\($0)" } ?? name
  }
}

extension BookResources {
  /// An encoder of pages for a PDF, for one task.
  ///
  /// - Parameter isTextOnly: `true` if the file is read and not looked at.
  package func pageEncoder(isTextOnly: Bool = false) -> PageEncoder {
    PageEncoder(fonts: fonts, images: images, shapes: glyphShapes, deflater: Deflater(level: isTextOnly ? 1 : 8)) {
      self.renderer()
    }
  }

  /// An empty PDF of the book.
  ///
  /// - Parameter isTextOnly: `true` if pictures and the outlines of glyphs are left out, and all is done fast.
  package func pdfDocument(isTextOnly: Bool = false) -> PDFDocument {
    PDFDocument(
      fonts: fonts, images: images, shapes: glyphShapes, encoder: pageEncoder(isTextOnly: isTextOnly),
      deflater: Deflater(level: isTextOnly ? 1 : 10), isTextOnly: isTextOnly)
  }
}

import BookOutput
import FoundationEssentials
import Primitives
import Typesetting

/// What a book is beside its pages: its contents and metadata, and what is read back from the bytes of what the
/// engine writes of it, a PDF and the text.
struct BookWritings {
  /// What the writer of a PDF warns of: it is told by what is read from the file.
  static let warnings: Set<String> = ["dead-link", "font-not-embedded"]

  private let folder: String
  private let writesPDF: Bool
  private var pdf: String { Files.join(folder, "book.pdf") }
  private var text: String { Files.join(folder, "book.txt") }

  /// - Parameters:
  ///   - folder: The unit's, which the files are written to.
  ///   - writesPDF: `false` for what the book is without being written.
  init(in folder: String, writesPDF: Bool) {
    self.folder = folder
    self.writesPDF = writesPDF
  }

  /// Makes a run write them.
  func ask(of options: inout RunOptions) {
    guard writesPDF else { return }
    var written = PDFOptions(target: .file(pdf))
    written.isTextOnly = true
    options.pdf = written
    options.text = .file(text)
  }

  /// Reads them, keeps what they tell in packs, and gives pages the hashes of what they are in the PDF.
  ///
  /// - Returns: The hash of what the book is beyond its pages.
  func read(_ book: String, _ pages: inout [PageHashes]) throws(HarnessError) -> String {
    var beyond = BeyondPages.text(of: try? Book(contentsOf: book))
    if writesPDF {
      let read = Files.read(pdf).flatMap { PDFReading($0) }
      var frames = FramePack.Writer()
      for (index, text) in (read?.pages ?? []).enumerated() where index < pages.count {
        let bytes = Array(text.utf8)
        pages[index].pdf = FrameKind.pdf.key(of: bytes)
        frames.append(frame: FrameKind.pdf.frame(of: bytes), key: pages[index].pdf)
      }
      try Files.write(frames.file(), to: Files.join(folder, FrameKind.pdf.name))
      beyond += "\n" + BeyondPages.text(of: read, text: Files.read(text))
    }
    let bytes = Array(beyond.utf8)
    let key = FrameKind.beyond.key(of: bytes)
    var frames = FramePack.Writer()
    frames.append(frame: FrameKind.beyond.frame(of: bytes), key: key)
    try Files.write(frames.file(), to: Files.join(folder, FrameKind.beyond.name))
    return hexadecimal(key)
  }

  func remove() { for path in [pdf, text] { Files.remove(path) } }
}

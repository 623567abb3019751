import BookOutput
import FoundationEssentials
import Primitives
import Typesetting

/// What the engine writes of a book beside its pages, and what is read back from the bytes: a PDF, and the text.
struct BookWritings {
  /// What the writer of a PDF warns of: it is told by what is read from the file.
  static let warnings: Set<String> = ["dead-link", "font-not-embedded"]

  private let folder: String
  private var pdf: String { Files.join(folder, "book.pdf") }
  private var text: String { Files.join(folder, "book.txt") }

  /// - Parameter folder: The unit's, which the files are written to.
  init(in folder: String) { self.folder = folder }

  /// Makes a run write them.
  func ask(of options: inout RunOptions) {
    var written = PDFOptions(target: .file(pdf))
    written.isTextOnly = true
    options.pdf = written
    options.text = .file(text)
  }

  /// Reads them, keeps what they tell in packs, and gives pages the hashes of what they are in the PDF.
  ///
  /// - Returns: The hash of what the book is beyond its pages.
  func read(_ book: String, _ pages: inout [PageHashes]) throws(HarnessError) -> String {
    let read = Files.read(pdf).flatMap { PDFReading($0) }
    var frames = FramePack.Writer()
    for (index, text) in (read?.pages ?? []).enumerated() where index < pages.count {
      let bytes = Array(text.utf8)
      pages[index].pdf = FrameKind.pdf.key(of: bytes)
      frames.append(frame: Zstd.compress(bytes, level: 1), key: pages[index].pdf)
    }
    try Files.write(frames.file(), to: Files.join(folder, FrameKind.pdf.name))
    let beyond = Array(BeyondPages.text(of: try? Book(contentsOf: book), read, text: Files.read(text)).utf8)
    let key = FrameKind.beyond.key(of: beyond)
    frames = FramePack.Writer()
    frames.append(frame: Zstd.compress(beyond, level: 1), key: key)
    try Files.write(frames.file(), to: Files.join(folder, FrameKind.beyond.name))
    return hexadecimal(key)
  }

  func remove() { for path in [pdf, text] { Files.remove(path) } }
}

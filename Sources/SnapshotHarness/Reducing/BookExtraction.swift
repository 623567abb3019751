import BookOutput
import FoundationEssentials
import Primitives
import Publications
import Typesetting

/// A book that is to be taken apart. It is read in child processes alone: what makes the engine crash would make whoever reads
/// it in the same way crash too.
struct BookExtraction: Sendable {
  /// The forms that there are to take.
  enum Form: Hashable, Codable, Sendable {
    /// The list of what there is.
    case outline
    /// One chapter as a page of its own.
    case page(Int, isHTML: Bool)
    /// All of an EPUB, with one chapter taken apart.
    case package(chapter: Int?)
  }

  /// The input of a child.
  struct Spec: Codable, Sendable {
    var book: String
    var form: Form
    var output: String
  }

  /// The report of a child on a book.
  struct Outline: Codable, Sendable {
    var isText = false
    /// The book is an EPUB, which stays one.
    var isPackage = false
    /// The paths of the chapters.
    var spine: [String] = []
    /// The reason that it is no book; nil where it is one.
    var fault: String?
  }

  /// The program that reads and its first arguments; the path of the spec comes behind them.
  let worker: [String]
  let book: CorpusBook
  let folder: String

  func outline() throws(HarnessError) -> Outline? { try take(.outline, as: Outline.self) }

  /// nil where there is nothing of that form, and where the child does not live to make it.
  func part(_ form: Form) throws(HarnessError) -> ReductionCase? { try take(form, as: ReductionCase.self) }

  private func take<Value: Decodable>(_ form: Form, as type: Value.Type) throws(HarnessError) -> Value? {
    let place = Files.join(folder, "apart")
    Files.remove(place)
    let spec = Spec(book: book.path, form: form, output: Files.join(place, "part.json"))
    let path = Files.join(place, "spec.json")
    try Files.write(json: spec, to: path)
    defer { Files.remove(place) }
    var child = ChildProcess(worker + [path], folder: place, limits: book.limits)
    child.writable = [place]
    child.environment = ChildProcess.environment(temporaryFolder: place)
    child.environment["SWIFT_BACKTRACE"] = "enable=no"
    let end = child.run(isStopped: { Interruption.isRequested }).end
    if end == .interrupted { throw HarnessError(130, "interrupted") }
    return end == .exited(0) ? Files.read(json: spec.output, as: type) : nil
  }
}

/// The work of a child process that takes a book apart.
package enum BookExtractionWorker {
  package static func run(specPath: String) throws(HarnessError) {
    guard let spec = Files.read(json: specPath, as: BookExtraction.Spec.self) else {
      throw HarnessError(64, "\(specPath): there is nothing to take apart")
    }
    let publication: Publication
    do throws(PublicationError) { publication = try Publication.open(path: spec.book) } catch {
      return try Files.write(json: BookExtraction.Outline(fault: error.reason), to: spec.output)
    }
    switch spec.form {
    case .outline:
      let outline = BookExtraction.Outline(
        isText: publication.kind == .text, isPackage: publication.kind == .epub, spine: publication.spine.map(\.path))
      try Files.write(json: outline, to: spec.output)
    case .page(let index, let isHTML):
      try write(ReductionCase(page: index, of: publication, isHTML: isHTML), spec)
    case .package(let chapter): try write(ReductionCase(package: publication, chapter: chapter), spec)
    }
  }

  private static func write(_ part: ReductionCase?, _ spec: BookExtraction.Spec) throws(HarnessError) {
    if let part { try Files.write(json: part, to: spec.output) }
  }
}

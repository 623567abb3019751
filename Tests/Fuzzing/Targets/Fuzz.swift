import BookOutput
import CSS
import Fonts
import Foundation
import ImageCodecs
import Images
import Layout
import Markup
import Primitives
import Publications
import Styling
import TestSupport

@testable import SnapshotHarness
@testable import Typesetting

/// The reader that a run of the fuzzer tries, named by `FUZZ_TARGET`.
private enum Target: String, CaseIterable {
  case html, xml, text, css, font, image, svg, book, run, fb2, markdown, mobi, page, checkpoint, cfi, directory,
    snapshot

  static let chosen: Target = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = Target(rawValue: name) else {
      let names = allCases.map(\.rawValue).joined(separator: " ")
      FileHandle.standardError.write(Data("FUZZ_TARGET is one of: \(names)\n".utf8))
      exit(64)
    }
    return target
  }()

  /// Reads the bytes as what they are not. Only crashes, hangs and memory without measure are faults.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .html: _ = MarkupReader.read(bytes, as: .html)
    case .xml: _ = MarkupReader.read(bytes, as: .xml)
    case .text: _ = PlainTextReader.read(bytes, name: "a.txt")
    case .css: _ = TypedStylesheet(parsing: bytes, context: ValueContext())
    case .font: _ = try? FontFile(data: bytes, name: "font")
    case .image:
      let images = ImageStore()
      let id = images.image(path: "image", load: { bytes })
      if !images.info(id).isBroken { _ = images.bitmap(id, width: 16, height: 16) }
    case .svg:
      let images = ImageStore()
      let id = images.addInlineSVG(bytes)
      if !images.info(id).isBroken { _ = images.bitmap(id, width: 16, height: 16) }
    case .book: open(bytes, as: "a.epub")
    case .run: run(bytes)
    case .fb2: open(bytes, as: "a.fb2")
    case .markdown: open(bytes, as: "a.md")
    case .mobi: open(bytes, as: "a.mobi")
    case .page: _ = SetDocument(bytes, as: .html, fonts: RuleCase.fonts, layout: layout, mostPages: 20).pages.count
    case .checkpoint: SavedCheckpoints.shared.read(bytes)
    case .cfi: _ = try? CFI(String(decoding: bytes, as: UTF8.self))
    case .directory:
      _ = try? JSONDecoder().decode(PageDirectory.self, from: Data(bytes))
      _ = try? JSONDecoder().decode([PageStarts?].self, from: Data(bytes))
    case .snapshot:
      _ = UnitText.parse(bytes)
      _ = DisplayReader.decode(bytes)
      _ = LayoutRecordReader.read(bytes)
    }
  }

  /// Sets and draws the first pages of a book as the command does.
  private func run(_ bytes: [UInt8]) {
    guard let folder = try? TestFolder(), let path = try? folder.write(bytes, to: "a.epub") else { return }
    var options = RunOptions(input: path)
    options.pages = folder.path("pages")
    options.pdf = PDFOptions(target: .file(folder.path("a.pdf")))
    options.only = NumberRange("1-20")
    _ = BookRun(options, progress: { _ in }).run()
  }

  private func open(_ bytes: [UInt8], as name: String) {
    guard let folder = try? TestFolder(), let path = try? folder.write(bytes, to: name),
      let book = try? Publication.open(path: path)
    else { return }
    for index in book.spine.indices.prefix(8) { _ = book.document(at: index) }
  }
}

private let layout = LayoutSettings(
  page: PageGeometry(size: Size(width: LayoutUnit(200), height: LayoutUnit(200)), margin: Sides(all: .zero)),
  rootFontSize: 10)

/// Checkpoints between the pages of a document, as they are saved.
private struct SavedCheckpoints {
  static let shared = SavedCheckpoints()

  private let document: SetDocument
  private var saved: [[UInt8]] = []

  private init() {
    let words = String(repeating: "some words of a line ", count: 12)
    let text = "<p>\(words)<span style='float: left; width: 3em; height: 18em'></span>\(words)"
    let rows = String(repeating: "<tr><td>\(text)<td rowspan=2>\(text)<tr><td>\(words)", count: 4)
    let source = """
      <div style='column-count: 2'>\(text)<div style='display: flex'><div>\(text)</div><div>\(text)</div></div></div>
      <div style='display: grid; grid: auto / 1fr 1fr'><div>\(text)</div><div>\(text)</div></div>
      <table><thead><tr><th>head</thead>\(rows)</table><ol><li>\(text)<li style='position: relative'>\(text)
      <div style='position: absolute; height: 40em'>\(words)</div></ol><ruby>\(words)<rt>\(words)</ruby>
      """
    document = SetDocument(Array(source.utf8), as: .html, fonts: RuleCase.fonts, layout: layout, mostPages: 0)
    var composer = document.composer()
    while composer.nextPage() != nil {
      if let bytes = composer.checkpoint.encoded(with: PageState()) { saved.append(bytes) }
    }
  }

  /// Goes on from a checkpoint that is damaged: the first byte tells which, pairs of a place and a value what is changed.
  func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var damaged = saved[Int(first) % saved.count]
    for index in stride(from: 1, to: bytes.count - 1, by: 2) {
      damaged[Int(bytes[index]) % damaged.count] = bytes[index + 1]
    }
    var composer = document.composer()
    guard let (checkpoint, _) = PageComposer.Checkpoint.decode(damaged, bounds: composer.checkpointBounds) else {
      return
    }
    composer.checkpoint = checkpoint
    for _ in 0..<8 where composer.nextPage() == nil { break }
  }
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Target.chosen.read(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

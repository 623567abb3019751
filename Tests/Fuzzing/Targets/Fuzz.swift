import CSS
import Fonts
import Foundation
import Images
import Layout
import Markup
import Primitives
import Publications
import Styling
import TestSupport
import Typesetting

/// The reader that a run of the fuzzer tries, named by `FUZZ_TARGET`.
private enum Target: String, CaseIterable {
  case html, xml, text, css, font, image, svg, book, page, cfi

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
    case .book:
      guard let folder = try? TestFolder(), let path = try? folder.write(bytes, to: "a.epub"),
        let book = try? Publication.open(path: path)
      else { return }
      for index in book.spine.indices.prefix(8) { _ = book.document(at: index) }
    case .page:
      let layout = LayoutSettings(
        page: PageGeometry(size: Size(width: LayoutUnit(200), height: LayoutUnit(200)), margin: Sides(all: .zero)),
        rootFontSize: 10)
      _ = SetDocument(bytes, as: .html, fonts: RuleCase.fonts, layout: layout, mostPages: 20).pages.count
    case .cfi: _ = try? CFI(String(decoding: bytes, as: UTF8.self))
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Target.chosen.read(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

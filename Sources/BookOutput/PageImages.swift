import BookEngine
import ChapterEngine
import Platform
import Primitives
import RasterRendering
import Synchronization

/// A file for the image of each page: made under a temporary name, it takes its own when all pages before it are known.
final class PageImages: PageOutput {
  struct Tools {
    let renderer: RasterRenderer
    let encoder = PNGEncoder()
  }

  /// An image whose page has no number yet; it goes away where the page never gets one.
  final class TemporaryImage: Sendable {
    let path: String
    init(path: String) { self.path = path }
    deinit { unsafe unlink(path) }
  }

  private let resources: BookResources
  private let folder: String
  /// A folder inside the other one.
  private let temporaryFolder: String
  private let count = Atomic<Int>(0)

  init(_ resources: BookResources, in folder: String) throws(BookError) {
    self.resources = resources
    self.folder = folder
    try OutputFiles.makeFolder(folder)
    temporaryFolder = try OutputFiles.makeTemporaryFolder(in: folder)
    Cleanup.shared.add(temporaryFolder)
  }

  deinit {
    OutputFiles.removeTemporaryFolder(temporaryFolder)
    Cleanup.shared.remove(temporaryFolder)
  }

  var needs: PageNeeds { .list }

  func makeTools() -> Tools { Tools(renderer: resources.renderer()) }

  func prepare(_ page: BookPage, _ tools: Tools) throws(BookError) -> TemporaryImage? {
    guard let list = page.list else { return nil }
    let bitmap = tools.renderer.render(list, scale: resources.settings.scale)
    if RasterRenderer.lacksCairo {
      throw BookError(.unavailable, "a page cannot be drawn: \(OptionalLibrary.cairo.absence)")
    }
    let number = count.add(1, ordering: .relaxed).newValue
    let image = TemporaryImage(path: OutputFiles.join(temporaryFolder, "\(number).png"))
    try OutputFiles.create(tools.encoder.encode(bitmap), at: image.path)
    return image
  }

  func append(_ image: TemporaryImage?, number: Int) throws(BookError) {
    if let image { try OutputFiles.install(image.path, at: OutputFiles.join(folder, Self.name(number))) }
  }

  func counters(of tools: Tools) -> [String: Int] {
    ["glyphs.drawn": tools.renderer.glyphsDrawn, "glyphs.rasterised": tools.renderer.glyphsRasterised]
  }

  /// `page-0001.png`: at least four digits, numbered from 1.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits + ".png"
  }
}

import Foundation
import Graphics
import ImageCodecs
import Images
import Testing

@testable import SnapshotHarness

/// The command line where a library that is loaded when it is needed is not installed.
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct MissingLibraryTests {
  /// Runs the program where a library cannot be loaded: a file that is none is found in its place.
  private func run(
    without library: String, _ arguments: [String], in folder: TestFolder
  ) throws -> (status: Int32, output: String, errors: String) {
    // Names differ from release to release.
    for name in library.split(separator: " ") { try Files.write("no library", to: folder["lib/\(name)"]) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(LittleCorpus.program))
    process.arguments = arguments
    // In a cache of its own, where no index of fonts is kept.
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LD_LIBRARY_PATH": folder["lib"], "XDG_CACHE_HOME": folder["cache"],
    ]) { $1 }
    let (output, errors) = (folder["output"], folder["errors"])
    for path in [output, errors] { try Files.write("", to: path) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : -1, Files.text(output) ?? "",
      Files.text(errors) ?? ""
    )
  }

  private func page(_ body: String, in folder: TestFolder) throws -> String {
    try Files.write("<!DOCTYPE html><title>t</title><body>" + body, to: folder["page.html"])
    return folder["page.html"]
  }

  @Test(arguments: [
    ("libgif.so.7", "gif", "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=="),
    ("libwebp.so.7", "webp", "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA="),
    ("libavif.so.15 libavif.so.16", "avif", "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUE="),
    ("libjxl.so.0.7 libjxl.so.0.11", "jxl", "/woIQLASCAgQAHAASxiLFcIJqhfwrwcQAfK37XP5q9+AV/JXvwGvAA=="),
  ])
  func `A picture that needs a missing library is a warning and its alternative`(
    _ library: String, _ kind: String, _ data: String
  ) throws {
    let folder = TestFolder()
    try Files.write(Array(try #require(Data(base64Encoded: data))), to: folder["a.\(kind)"])
    let input = try page("<p>before</p><img src='a.\(kind)' alt='alternative'>", in: folder)
    let result = try run(without: library, [input, "--layout", "-", "--pages", folder["pages"]], in: folder)
    #expect(result.status == 0)
    #expect(result.errors.contains("1 picture cannot be drawn: lib\(kind) is not installed"))
    #expect(result.output.contains("alternative"))
  }

  @Test func `Without Little CMS a picture with a profile is shown as one without`() throws {
    let folder = TestFolder()
    // A grey pixel, with a profile of linear light.
    let profiled =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAVmlDQ1B4AAB42mNgYDjAAARMAgwMuXklRe5BjpERkVEKDEggMbm4gAEv+HaNgR"
      + "FEX9ZlIB0wlZcUlADpOUAskh0S5AykNwAxH8IdCPOTS4vKoPoYQUIAJawTs1DDcm0AAAAKSURBVHjaY2gAAACCAIHaRQg7AAAAAElFTkSuQmCC"
    let plain = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="
    var pages: [[UInt8]?] = []
    for data in [profiled, plain] {
      try Files.write(Array(try #require(Data(base64Encoded: data))), to: folder["a.png"])
      let input = try page("<img src='a.png' width='40' height='40'>", in: folder)
      let result = try run(without: "liblcms2.so.2", [input, "--pages", folder["pages"]], in: folder)
      #expect(result.status == 0 && result.errors.isEmpty)
      pages.append(Files.read(folder["pages/page-0001.png"]))
    }
    #expect(pages[0] != nil && pages[0] == pages[1])
  }

  @Test func `Without ISA-L pages are the same pictures`() throws {
    let folder = TestFolder()
    let input = try page("<p style='background: linear-gradient(red, blue)'>Some words</p>", in: folder)
    var pictures: [Bitmap] = []
    for library in ["none.so", "libisal.so.2"] {
      let result = try run(without: library, [input, "--pages", folder["pages"]], in: folder)
      #expect(result.status == 0 && result.errors.isEmpty)
      let file = try #require(Files.read(folder["pages/page-0001.png"]))
      let store = ImageStore()
      let id = store.image(path: library, load: { file })
      let (width, height) = (try #require(store.info(id).width), try #require(store.info(id).height))
      pictures.append(try #require(store.bitmap(id, width: Int(width), height: Int(height))))
    }
    #expect(Array(pictures[0].pixels) == Array(pictures[1].pixels))
  }

  @Test func `Without fontconfig a book is set in no fonts, with a warning`() throws {
    let folder = TestFolder()
    let input = try page("<p>Some words</p>", in: folder)
    let result = try run(without: "libfontconfig.so.1", [input, "--text", "-", "--pages", folder["pages"]], in: folder)
    #expect(result.status == 0)
    #expect(result.output == "Some words\n")
    #expect(result.errors.contains("fontconfig is not installed"))
  }

  @Test func `Without cairo a page that needs none is drawn, and another is an error`() throws {
    let folder = TestFolder()
    let plain = try page("<p>Some words</p>", in: folder)
    #expect(try run(without: "libcairo.so.2", [plain, "--pages", folder["pages"]], in: folder).status == 0)
    let round = try page(
      "<p style='border: 3px solid red; border-radius: 9px; rotate: 9deg'>Some words</p>", in: folder)
    let result = try run(without: "libcairo.so.2", [round, "--pages", folder["pages"]], in: folder)
    #expect(result.status == 69)
    #expect(result.errors.contains("a page cannot be drawn: libcairo is not installed; install "))
  }

  @Test func `Without librsvg a drawing that needs it is a warning`() throws {
    let folder = TestFolder()
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect mask='url(#m)'/></svg>"
    try Files.write(drawing, to: folder["a.svg"])
    let input = try page("<img src='a.svg' alt='alternative'>", in: folder)
    let result = try run(without: "librsvg-2.so.2", [input, "--layout", "-"], in: folder)
    #expect(result.status == 0)
    #expect(result.errors.contains("librsvg is not installed"))
  }

  @Test func `Without cmark-gfm Markdown is set as plain text, with a warning`() throws {
    let folder = TestFolder()
    try Files.write("# Some *words*", to: folder["page.md"])
    let result = try run(
      without: "libcmark-gfm.so.0.29.0.gfm.6 libcmark-gfm.so.0.29.0.gfm.13", [folder["page.md"], "--text", "-"],
      in: folder)
    #expect(result.status == 0)
    #expect(result.output == "# Some *words*\n")
    #expect(result.errors.contains("cmark-gfm is not installed"))
  }

  @Test func `Without libmobi a Kindle book is an error`() throws {
    let folder = TestFolder()
    let head = String(repeating: "a", count: 60) + "BOOKMOBI" + String(repeating: "a", count: 60)
    try Files.write(head, to: folder["book.mobi"])
    let result = try run(without: "libmobi.so.0", [folder["book.mobi"], "--text", "-"], in: folder)
    #expect(result.status == 69)
    #expect(result.errors.contains("Kindle books are read by libmobi, which is not installed"))
  }

  @Test func `Without libyaml a corpus is an error`() throws {
    let folder = TestFolder()
    try Files.write("books: []", to: folder["corpus.yaml"])
    let result = try run(
      without: "libyaml-0.so.2", ["snapshot", "render", folder["corpus.yaml"], "--out", folder["run"]], in: folder)
    #expect(result.status == 69)
    #expect(result.errors.contains("libyaml is not installed"))
  }
}

import Primitives
import TestSupport
import Testing

@testable import Images

/// Libraries that pictures lack.
@Suite struct MissingDecoderTests {
  @Test(arguments: [
    ("libwebp.so.7", "libwebp", "libwebp7"), ("libavif.so.16", "libavif", "libavif16"),
    ("libjxl.so.0.11", "libjxl", "libjxl0.11"), ("libjpeg.so.62", "libjpeg", "libjpeg62-turbo"),
    ("librsvg-2.so.2", "librsvg", "librsvg2-2"),
  ])
  func `a library is known by its file, and so is its package`(_ file: String, _ library: String, _ package: String) {
    let decoder = MissingDecoder(fileName: file)
    #expect(decoder.library == library && decoder.package == package)
    #expect(
      decoder.diagnostic(pictures: 2).message
        == "2 pictures cannot be drawn: \(library) is not installed; install \(package)")
  }

  @Test func `what is linked in lacks nothing`() { #expect(MissingDecoder(for: .png) == nil) }
}

import Primitives
import TestSupport
import Testing

@testable import ImageCodecs

/// Libraries that pictures lack.
@Suite struct MissingDecoderTests {
  @Test func `the warning names the package`() {
    let decoder = MissingDecoder(library: "libwebp", package: "libwebp7")
    #expect(
      decoder.diagnostic(pictures: 2).message
        == "2 pictures cannot be drawn: libwebp is not installed" + SystemPackages.current.advice("libwebp7"))
  }

  @Test func `what is linked in lacks nothing`() { #expect(MissingDecoder(for: .png) == nil) }
}

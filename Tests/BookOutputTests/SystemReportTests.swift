import Primitives
import Testing

@testable import BookOutput

/// What `typeset doctor` tells of languages; its libraries and faces are those of the machine.
@Suite struct SystemReportTests {
  private func patterns(_ installed: String...) -> [String: SystemReport.Patterns] {
    let list = SystemReport.patterns(installed: installed, SystemPackages(osRelease: "ID=debian"))
    return Dictionary(uniqueKeysWithValues: list.map { ($0.language, $0) })
  }

  @Test func `patterns of a region are those of its language, and not of another region`() {
    let found = patterns("de-de", "en-us", "pt-br")
    #expect(found["de"]?.isInstalled == true && found["de"]?.package == nil)
    #expect(found["en-US"]?.isInstalled == true)
    #expect(found["en-GB"]?.isInstalled == false && found["en-GB"]?.package == "hyphen-en-gb")
    #expect(found["pt-PT"]?.isInstalled == false && found["pt-BR"]?.isInstalled == true)
    #expect(found["fr"]?.package == "hyphen-fr")
  }

  @Test func `languages whose patterns no package has are told where they are installed`() {
    #expect(patterns("eo", "eo-001")["eo"]?.isInstalled == true)
    #expect(patterns()["eo"] == nil)
  }
}

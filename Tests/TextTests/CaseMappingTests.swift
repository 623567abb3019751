import Testing

@testable import Text

@Suite struct CaseMappingTests {
  private func mapped(_ text: String, _ mapping: CaseMapping.Mapping, _ language: String = "") -> String {
    String(decoding: CaseMapping.map(Array(text.utf16), to: mapping, language: language), as: UTF16.self)
  }

  /// Characters that are mapped by themselves are mapped as ICU does it, which maps a text with another letter.
  @Test(arguments: [CaseMapping.Mapping.upper, .lower, .fold])
  func `Latin-1 and punctuation map alike beside any letter`(_ mapping: CaseMapping.Mapping) {
    for unit in Array(UInt16(1)..<0x100) + Array(UInt16(0x2000)..<0x2070) {
      let text = String(decoding: [unit], as: UTF16.self)
      #expect(mapped(text + "б", mapping) == mapped(text, mapping) + mapped("б", mapping))
    }
  }

  @Test func `letters become several, and languages have rules of their own`() {
    #expect(mapped("straße", .upper) == "STRASSE")
    #expect(mapped("Straße", .fold) == "strasse")
    #expect(mapped("µ ÿ", .upper) == "Μ Ÿ")
    #expect(mapped("L’Été", .lower, "fr") == "l’été")
    #expect(mapped("istanbul", .upper, "tr") == "İSTANBUL")
    #expect(mapped("Άνθρωπος", .upper, "el") == "ΑΝΘΡΩΠΟΣ")
    #expect(mapped("ISPARTA", .lower, "az") == "ısparta")
    #expect(mapped("ΟΔΟΣ", .lower, "el") == "οδο\u{3C2}")
  }

  @Test func `capitalize takes the first letter of each word`() {
    func capitalize(_ text: String, _ language: String) -> String {
      var result: [UInt16] = []
      let units = Array(text.utf16)
      CaseMapping.capitalize(units.span, language: language, into: &result)
      return String(decoding: result, as: UTF16.self)
    }
    #expect(capitalize("it's “fine” ijs", "en") == "It's “Fine” Ijs")
    #expect(capitalize("ijs", "nl") == "IJs")
  }
}

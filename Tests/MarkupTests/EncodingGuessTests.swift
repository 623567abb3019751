import Primitives
import Testing

@testable import Markup

/// Texts of a few lines are read back from the encodings that their languages were written in.
@Suite struct EncodingGuessTests {
  /// The bytes of a text in an encoding of one byte a character, by turning its decoder round.
  private func encoded(_ text: String, in encoding: String) throws -> [UInt8] {
    var bytes: [Unicode.Scalar: UInt8] = [:]
    for byte in UInt8.min...UInt8.max {
      let decoded = try #require(TextDecoder.decode([byte], from: encoding), "\(encoding)")
      guard let scalar = String(decoding: decoded.utf8, as: UTF8.self).unicodeScalars.first else { continue }
      if bytes[scalar] == nil { bytes[scalar] = byte }
    }
    return try text.unicodeScalars.map { try #require(bytes[$0], "\($0) in \(encoding)") }
  }

  private func text(_ decoded: EncodingSniffer.Decoded?) -> String {
    String(decoding: decoded?.bytes ?? [], as: UTF8.self)
  }

  private static let czech =
    "Ráno přišel na nádraží starý hodinář a řekl, že žádné hodiny v městě neukazují stejný čas. Výpravčí se smál, ale pak ztichl."
  private static let polish =
    "Rano na stację przyszedł stary zegarmistrz i powiedział, że żadne zegary w mieście nie wskazują tej samej godziny."
  private static let hungarian =
    "Reggel az öreg órás kiment az állomásra, és azt mondta, hogy a városban két óra sem mutatja ugyanazt az időt, hűvös volt."
  private static let russian =
    "Утром на станцию пришёл старый часовщик и сказал, что никакие часы в городе не показывают одно и то же время."
  private static let ukrainian =
    "Уранці на станцію прийшов старий годинникар і сказав, що жодні годинники в місті не показують того самого часу, їх багато."
  private static let greek =
    "Το πρωί ήρθε στον σταθμό ένας γέρος ωρολογοποιός και είπε ότι κανένα ρολόι στην πόλη δεν δείχνει την ίδια ώρα."
  private static let turkish =
    "Sabah yaşlı bir saatçi istasyona geldi ve şehirdeki hiçbir saatin aynı zamanı göstermediğini söyledi. Kimse şaşırmadı."
  private static let hebrew =
    "בבוקר הגיע לתחנה שען זקן ואמר ששום שעון בעיר אינו מראה את אותה השעה. מנהל התחנה צחק ואחר כך השתתק."
  private static let arabic =
    "في الصباح جاء إلى المحطة ساعاتي عجوز وقال إن ساعات المدينة لا تشير إلى الوقت نفسه. ضحك ناظر المحطة ثم سكت."
  private static let lithuanian =
    "Rytą į stotį atėjo senas laikrodininkas ir pasakė, kad jokie miesto laikrodžiai nerodo to paties laiko. Budėtojas juokėsi."
  private static let latvian =
    "No rīta stacijā ieradās vecs pulksteņmeistars un teica, ka nekādi pilsētas pulksteņi nerāda vienu un to pašu laiku."
  private static let vietnamese =
    "Buô\u{309}i sáng, ngươ\u{300}i thơ\u{323} đô\u{300}ng hô\u{300} gia\u{300} đê\u{301}n nha\u{300} ga va\u{300} nói không có hai chiê\u{301}c đô\u{300}ng hô\u{300} na\u{300}o chi\u{309} cu\u{300}ng mô\u{323}t giơ\u{300}."
  private static let thai = "ตอนเช้าช่างนาฬิกาชราคนหนึ่งมาที่สถานีรถไฟและบอกว่านาฬิกาในเมืองไม่มีเรือนใดบอกเวลาตรงกันเลย"
  private static let french =
    "Le matin, un vieil horloger vint à la gare et déclara qu'aucune horloge de la ville n'indiquait la même heure, même là-bas."
  private static let german =
    "Am Morgen kam ein alter Uhrmacher zum Bahnhof und erklärte, daß keine Uhr der Stadt die gleiche Zeit zeige. Früher wäre das schön gewesen."

  @Test(arguments: [
    (czech, ["windows-1250", "ISO-8859-2", "IBM852", "x-mac-ce"]), (polish, ["windows-1250", "ISO-8859-2"]),
    (hungarian, ["windows-1250", "ISO-8859-2"]),
    (russian, ["windows-1251", "KOI8-R", "IBM866", "x-mac-cyrillic", "ISO-8859-5"]),
    (ukrainian, ["windows-1251", "KOI8-U"]), (greek, ["windows-1253", "ISO-8859-7"]), (turkish, ["windows-1254"]),
    (hebrew, ["windows-1255"]), (arabic, ["windows-1256", "ISO-8859-6"]), (lithuanian, ["windows-1257"]),
    (latvian, ["windows-1257"]), (vietnamese, ["windows-1258"]), (thai, ["windows-874"]),
    (french, ["windows-1252", "macintosh", "IBM850"]), (german, ["windows-1252", "macintosh", "IBM850"]),
  ])
  func `A text is read from each encoding of its language`(_ original: String, _ encodings: [String]) throws {
    for encoding in encodings {
      let decoded = EncodingSniffer.decodePlainText(try encoded(original, in: encoding))
      #expect(text(decoded) == original, "\(encoding)")
      #expect(decoded?.guess != TextEncoding.Guess.none, "\(encoding)")
    }
  }

  @Test func `Marks between the words of an English text are those of windows-1252`() throws {
    let marks = "“No clock,” said the old man—and he meant it—“shows the hour.” It was the station’s third clock…"
    #expect(text(EncodingSniffer.decodePlainText(try encoded(marks, in: "windows-1252"))) == marks)
  }

  @Test func `A guess that may be another is doubtful and says so, and a text that says itself is none`() throws {
    let short = try encoded("déjà", in: "windows-1252")
    let decoded = try #require(EncodingSniffer.decodePlainText(short))
    guard case .doubtful = decoded.guess else { return #expect(Bool(false), "\(decoded.guess)") }
    var sink = DiagnosticSink()
    decoded.report("a.txt", to: &sink)
    let warning = try #require(sink.diagnostics.first)
    #expect(warning.severity == .warning && warning.code == "guessed-encoding")
    #expect(warning.message.contains(decoded.encoding) && warning.message.contains("--encoding"))

    let long = try #require(EncodingSniffer.decodePlainText(try encoded(Self.russian, in: "KOI8-R")))
    #expect(long.guess == .certain)
    sink = DiagnosticSink()
    long.report("a.txt", to: &sink)
    #expect(sink.diagnostics.map(\.severity) == [.note])
    #expect(EncodingSniffer.decodePlainText(Array(Self.russian.utf8))?.guess == TextEncoding.Guess.none)
  }

  @Test func `What the reader says goes before guesses and declarations, and behind a mark`() throws {
    let bytes = try encoded("déjà", in: "windows-1252")
    let greek = try #require(EncodingSniffer.decodePlainText(bytes, encoding: "cp1253"))
    #expect(greek.encoding == "windows-1253" && text(greek) == "dιjΰ" && greek.guess == .none)
    var sink = DiagnosticSink()
    let page = Array("<meta charset=utf-8><p>".utf8) + bytes
    let decoded = EncodingSniffer.decodeMarkup(page, resource: "", encoding: "latin1", diagnostics: &sink)
    #expect(text(decoded).hasSuffix("déjà") && sink.diagnostics.isEmpty)
    #expect(text(EncodingSniffer.decodePlainText([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], encoding: "cp1253")) == "é")
    #expect(EncodingSniffer.decodePlainText([0x80, 0xFF], encoding: "UTF-8")?.malformed == 2)
  }

  @Test func `Encodings of seven bits are told by their escapes`() {
    let japanese =
      Array("a ".utf8) + [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x38, 0x6C, 0x1B, 0x28, 0x42] + Array(" b".utf8)
    let decoded = EncodingSniffer.decodePlainText(japanese)
    #expect(decoded?.encoding == "ISO-2022-JP" && text(decoded) == "a 日本語 b")
    let korean = [0x1B, 0x24, 0x29, 0x43, 0x0A, 0x0E, 0x47, 0x51, 0x31, 0x39, 0x3E, 0x6E, 0x0F] as [UInt8]
    #expect(text(EncodingSniffer.decodePlainText(korean)).hasSuffix("한국어"))
    let chinese = Array("~{VPND~} text".utf8)
    #expect(text(EncodingSniffer.decodePlainText(chinese)) == "中文 text")
    // Escapes of a terminal and of a program are none.
    for plain in ["\u{1B}[1mbold\u{1B}[0m", "a ~{ b ~} c", "\u{1B}$ "] {
      #expect(text(EncodingSniffer.decodePlainText(Array(plain.utf8))) == plain)
    }
  }

  @Test func `Encodings are known by all their labels, and each can be decoded`() {
    for (label, name) in [
      ("latin1", "windows-1252"), (" ISO-8859-1;", "windows-1252"), ("CP1251", "windows-1251"), ("x-sjis", "Shift_JIS"),
      ("gbk", "gb18030"), ("ks_c_5601-1987", "EUC-KR"), ("csISOLatin2", "ISO-8859-2"), ("tis-620", "windows-874"),
      ("866", "IBM866"), ("unicode-1-1-utf-8", "UTF-8"), ("utf-16", "UTF-16LE"), ("latin10", "ISO-8859-16"),
      ("x-mac-ukrainian", "x-mac-cyrillic"), ("macintosh", "macintosh"),
    ] { #expect(EncodingLabels.name(for: label) == name, "\(label)") }
    #expect(EncodingLabels.name(for: "utf-9") == nil && EncodingLabels.name(for: "") == nil)
    let labels = EncodingLabels.entries.flatMap { $0.labels.description.split(separator: " ").map(String.init) }
    #expect(Set(labels).count == labels.count && labels.allSatisfy { $0 == $0.lowercased() })
    for name in EncodingLabels.names {
      #expect(TextDecoder.decode([0x41, 0x42, 0x43, 0x44], from: name) != nil, "\(name)")
    }
    #expect(
      TextDecoder.decode([0xA4, 0xAA, 0xFE, 0x41], from: "ISO-8859-16").map {
        text(.init(bytes: $0.utf8, encoding: ""))
      } == "€ȘțA")
  }
}

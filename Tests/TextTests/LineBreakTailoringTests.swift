import CSS
import Testing

@testable import Text

@Suite struct LineBreakTailoringTests {
  /// The text with a bar at every opportunity.
  private func bars(_ text: String, _ configure: (inout LineBreakTailoring) -> Void = { _ in }) -> String {
    var tailoring = LineBreakTailoring()
    configure(&tailoring)
    let units = Array(text.utf16)
    var breaks = [UInt8](repeating: 0, count: units.count)
    var span = breaks.mutableSpan
    TextAnalyzer().lineBreaks(units.span, tailoring: tailoring, into: &span)
    var result: [UInt16] = []
    for (index, unit) in units.enumerated() {
      if breaks[index] != 0 { result.append(0x7C) }
      result.append(unit)
    }
    return String(decoding: result, as: UTF16.self)
  }

  @Test func `Brahmic scripts break alike whatever the version of ICU`() {
    // Balinese, Javanese, Cham: words with a virama, digits, a final consonant, signs.
    for text in ["ᬅᬓ᭄ᬱᬭ", "ᬅ᭑᭒", "ᬅ᭜ᬓ", "ꦲꦏ꧀ꦱꦫ", "ꦲ꧊ꦏ", "ꨀꩀꨆ", "◌ᬓ"] { #expect(bars(text) == text) }
    #expect(bars("ᬅᬓ᭄ᬱᬭ ᬩᬮᬶ") == "ᬅᬓ᭄ᬱᬭ |ᬩᬮᬶ")
    let classes: [(UInt32, LineBreakClass)] = [
      (0x1B05, .al), (0x1B44, .cm), (0x1B50, .nu), (0x1B61, .al), (0x1BC0, .al), (0x1BF2, .cm), (0xA9CF, .al),
      (0xAA40, .al), (0x11003, .al), (0x2010, .ba), (0x104A, .ba), (0x4E00, .id),
    ]
    for (scalar, expected) in classes { #expect(CharacterProperties(scalar).lineBreak == expected) }
  }

  @Test func `Pairs of ASCII break as browsers break them`() {
    #expect(
      bars("well-known 10-12 -5 A-1 and/or f(x) a?b x.(y) (a)")
        == "well-|known |10-|12 |-5 |A-|1 |and/or |f(x) |a?|b |x.|(y) |(a)")
    #expect(bars("bonjour ! «oui»") == "bonjour |! |«oui»")
    #expect(bars("a\u{A0}b c\u{200B}d") == "a\u{A0}b |c\u{200B}|d")
  }

  @Test func `Quotation marks between ideographs break as ideographic ones`() {
    #expect(bars("道：“你好。”他") == "道：|“你|好。”|他")
    #expect(bars("是“关键”的") == "是|“关|键”|的")
    #expect(bars("say “yes”, no") == "say |“yes”, |no")
    #expect(bars("——中……国") == "——|中……|国")
  }

  @Test func `Small kana begin lines by strictness`() {
    #expect(bars("きゃー") { $0.language = .japanese } == "き|ゃ|ー")
    #expect(bars("きゃー") { $0.strictness = .strict } == "きゃー")
    #expect(bars("人々") { $0.strictness = .normal } == "人々")
    #expect(bars("人々") { $0.strictness = .loose } == "人|々")
    #expect(bars("赤・青") { $0.strictness = .loose } == "赤・|青")
    #expect(
      bars("赤・青") {
        $0.strictness = .loose
        $0.language = .japanese
      } == "赤|・|青")
    #expect(bars("a b、c") { $0.strictness = .anywhere } == "a| |b|、|c")
  }

  @Test func `X4 Burmese syllables stay whole where the dictionary lacks a word`() {
    // The consonant with a killer, and the upper one of a stack, end the syllable before.
    #expect(!bars("ရာဇဝင်တင်မည့် ကြေညာချက်").contains("မ|ည့်"))
    #expect(!bars("အစည်းအဝေးကြီးက ကမ္ဘာ့ကုလသမဂ္ဂ").contains("|မ္ဘ"))
    #expect(bars("လူတိုင်းသည်").contains("|"))
  }

  @Test func `C1 In the house style spaces before closing marks and after short words do not end a line`() {
    func house(_ text: String, _ language: LineBreakLanguage = .other) -> String {
      bars(text) {
        $0.strictness = .house
        $0.language = language
      }
    }
    #expect(house("अधिकार है । यदि") == "अधिकार |है । |यदि")
    #expect(house("bonjour ! « oui », dit", .french) == "bonjour ! |« oui », |dit")
    #expect(house("Debian — это в доме", .slavic) == "Debian — |это |в доме")
    #expect(house("wait . . . . . and", .other) == "wait . . . |. |. |and")
    #expect(house("а и в с доме", .slavic).contains("|"))
    #expect(bars("Debian — это в доме") == "Debian |— |это |в |доме")
  }

  @Test func `B15 In the house style no line ends behind the indentation of code`() {
    #expect(bars("if a:\n    call(b)\n  c") { $0.strictness = .house } == "if |a:\n|    call(b)\n|  c")
    #expect(bars("if a:\n    call(b)") == "if |a:\n|    |call(b)")
    #expect(bars(" call(b)") { $0.strictness = .house } == " call(b)")
  }

  @Test func `B15 The house style divides addresses behind their separators, and no numbers`() {
    func house(_ text: String, _ language: LineBreakLanguage = .other) -> String {
      bars(text) {
        $0.strictness = .house
        $0.language = language
      }
    }
    #expect(
      house("at https://www.example.org/docs/the_first/index.html#part.")
        == "at |https://|www.|example.|org/|docs/|the_|first/|index.|html#part.")
    #expect(house("name@host.example.org") == "name@|host.|example.|org")
    #expect(house("/usr/share/doc-base/x.1-2") == "/usr/|share/|doc-|base/|x.1-2")
    #expect(house("2023-03-06, ISBN 978-3-16-148410-0, x86-64") == "2023-03-06, |ISBN |978-3-16-148410-0, |x86-64")
    #expect(house("via --with-file=\"-x\" (-a) well-known") == "via |--with-|file=\"-x\" |(-a) |well-|known")
    // Words are not addresses.
    #expect(house("and/or he/she snake_case 2.5.1") == "and/or |he/she |snake_case |2.5.1")
    #expect(bars("/usr/share/doc") == "/usr/share/doc")
    // An author's `line-break: normal` is about marks and kana.
    #expect(bars("/usr/share/doc 会ャ") { $0.strictness = .normal.inHouseStyle } == "/usr/|share/|doc |会|ャ")
  }

  @Test func `B16 In the house style a dash between words begins no line, and one before a speech keeps to it`() {
    func house(_ text: String) -> String { bars(text) { $0.strictness = .house } }
    #expect(house("word—word") == "word—|word")
    #expect(house("dijo él. —Vamos —dijo") == "dijo |él. |—Vamos |—dijo")
    #expect(bars("word—word") == "word|—|word")
    // Sof pasuq and paseq.
    #expect(house("הארץ ׃ ויהי ׀ אור") == "הארץ ׃ |ויהי ׀ |אור")
  }

  @Test func `C3 The house style keeps small kana and marks to what precedes them, in text of any language`() {
    func house(_ text: String, _ language: LineBreakLanguage = .japanese) -> String {
      bars(text) {
        $0.strictness = .house
        $0.language = language
      }
    }
    for language in [LineBreakLanguage.japanese, .chinese, .other] {
      #expect(house("行ってきゃー", language) == "行っ|て|きゃー")
      #expect(house("赤ｯ青ｰ", language) == "赤ｯ|青ｰ")
    }
    // Behind a space, and behind a figure that may be a character.
    #expect(house("骨 HT 、膝 ・腕 っ") == "骨 |HT 、|膝 ・|腕 っ")
    #expect(house("\u{FFFC}っ\u{FFFC}、\u{FFFC}々\u{FFFC}赤") == "\u{FFFC}っ|\u{FFFC}、|\u{FFFC}々|\u{FFFC}|赤")
    #expect(bars("\u{FFFC}々") == "\u{FFFC}|々" && bars("骨 、膝") == "骨 |、|膝")
  }

  @Test func `The word-break property changes classes`() {
    #expect(bars("abc 日本") { $0.wordBreak = .breakAll } == "a|b|c |日|本")
    #expect(bars("한국 日本、中") { $0.wordBreak = .keepAll } == "한국 |日本、|中")
    #expect(bars("한국어") == "한|국|어")
  }

  @Test func `Lines break at spaces and soft hyphens`() {
    #expect(bars("a  b") == "a  |b")
    #expect(bars("a  b") { $0.breaksEverySpace = true } == "a | |b")
    #expect(bars("co\u{AD}op") == "co\u{AD}|op")
    #expect(bars("co\u{AD}op") { $0.honoursSoftHyphens = false } == "co\u{AD}op")
  }

  @Test func `X4: dictionaries divide Thai, Lao, Khmer and Burmese into words`() {
    #expect(bars("ภาษาไทยเป็นภาษาราชการ") == "ภาษา|ไทย|เป็น|ภาษา|ราชการ")
    #expect(bars("ຂ້ອຍໄປຕະຫຼາດຊື້ເຂົ້າແລະປາ") == "ຂ້ອຍ|ໄປ|ຕະຫຼາດ|ຊື້|ເຂົ້າ|ແລະ|ປາ")
    #expect(bars("ភាសាខ្មែរជាភាសារបស់ប្រទេសកម្ពុជា") == "ភាសាខ្មែរ|ជា|ភាសា|របស់|ប្រទេស|កម្ពុជា")
    #expect(bars("ကျွန်တော်ငါးဝယ်တယ်") == "ကျွန်တော်|ငါး|ဝယ်|တယ်")
    // Spaces and marks beside the words stay what they are.
    #expect(bars("ไทย (ภาษา) ລາວ") == "ไทย |(ภาษา) |ລາວ")
  }
}

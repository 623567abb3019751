import Markup
import Primitives
import Testing

@Suite struct PlainTextReaderTests {
  private func book(_ text: String) throws -> PlainTextBook {
    try #require(PlainTextReader.read(Array(text.utf8), name: "book.txt"))
  }
  private func titles(_ text: String) throws -> [String] { try book(text).chapters.flatMap(\.headings).map(\.title) }
  private func body(_ text: String, chapter: Int = 0) throws -> String {
    let dump = try book(text).document(at: chapter).dump()
    return dump.split(separator: "\n").drop { !$0.contains("<body>") }.dropFirst().map { String($0.dropFirst(4)) }
      .joined(separator: "\n")
  }

  @Test(arguments: [
    "序言", "第1章 一", "第２章　二", "第三十二回 三", "第一○八回 十四", "第廿一回：十五，十六", "【第九章】 九", "番外一 十一", "卷八 八", "第七章", "楔子　张天师祈禳瘟疫",
    "正文 第十章 十", "尾声", "學而第一", "Chapter 5 Five", "CHAPTER VI.", "Part One: The Start", "Epilogue", "Глава первая",
    "ГЛАВА II", "Пролог", "제3장 시작",
    "プロローグ",
  ])
  func `Lines that look like headings begin chapters`(heading: String) throws {
    #expect(try titles("一些文字。\n\n\(heading)\n\n　　正文在这里。\n") == [heading])
  }

  @Test(arguments: [
    "第四章里说过的话，他都记得。", "他翻到第二章", "第六节课下课以后，走了。", "Chapter 5 says that we go.", "Part of the trouble", "序言里写得明白。",
    "Introduction to the matter was made by him.", "Книга лежала на столе", "第一次见到他的时候",
  ])
  func `Sentences that begin like headings begin no chapter`(sentence: String) throws {
    #expect(try titles("一些文字。\n\n\(sentence)\n\n　　正文在这里。\n") == [])
  }

  private func book(_ text: String, patterns: [String]) throws -> PlainTextBook {
    let hints = TextHints(chapterPatterns: try patterns.map { try RegularExpression($0) })
    return try #require(PlainTextReader.read(Array(text.utf8), name: "book.txt", hints: hints))
  }

  private static let hasPatterns = OptionalLibrary.pcre2.isInstalled

  @Test(.enabled(if: hasPatterns, "PCRE2 is not installed"))
  func `The reader says which lines begin chapters, and none but these do`() throws {
    let text = "◆ 上\n\n甲. 起\n　　一段。\n第一章 不是\n　　二段。\n  乙. 承\n　　说到甲. 起。\n\n◆ 下\n\n丙. 转\n　　三段。\n"
    let headings = try book(text, patterns: ["^◆", "^\\w\\. "]).chapters.flatMap(\.headings)
    #expect(headings.map(\.title) == ["◆ 上", "甲. 起", "乙. 承", "◆ 下", "丙. 转"])
    #expect(headings.map(\.level) == [0, 1, 1, 0, 1])
    #expect(try titles(text) == ["第一章 不是"])
  }

  @Test(.enabled(if: hasPatterns, "PCRE2 is not installed"))
  func `One chapter that the reader says outweighs the sections of a manual`() throws {
    let sections = ["Gates", "Wheels", "Locks"].map { "\($0)\n-----\n\n\(Self.prose)\n" }.joined()
    let book = try book("§ All of it\n\n\(sections)", patterns: ["^§"])
    #expect(book.chapters.flatMap(\.headings).map(\.title) == ["§ All of it"])
  }

  @Test(.enabled(if: hasPatterns, "PCRE2 is not installed"))
  func `Where no line matches, chapters are found out, with a warning`() throws {
    let book = try book("第一章 起\n　　一段。\n第二章 承\n　　二段。\n", patterns: ["^Chapter"])
    #expect(book.chapters.flatMap(\.headings).map(\.title) == ["第一章 起", "第二章 承"])
    #expect(book.diagnostics.diagnostics.map(\.code) == ["chapter-pattern"])
  }

  @Test(.enabled(if: hasPatterns, "PCRE2 is not installed"))
  func `A pattern that backtracks without end is given up where it does`() throws {
    let text = "\(String(repeating: "a", count: 60))b\n\nChapter aa\n\nSome words.\n"
    let book = try book(text, patterns: ["^(Chapter )?(a+)+$"])
    #expect(book.chapters.flatMap(\.headings).map(\.title) == ["Chapter aa"])
    #expect(book.diagnostics.diagnostics.map(\.line) == [1])
  }

  @Test(.enabled(if: hasPatterns, "PCRE2 is not installed"))
  func `A text is another book when its chapters are`() throws {
    func digest(_ patterns: [String]) throws -> UInt64 {
      var hasher = StableHasher()
      try book("# a\nwords\n", patterns: patterns).combineContents(into: &hasher)
      return hasher.value
    }
    #expect(try digest([]) != digest(["^#"]) && digest(["^#"]) != digest(["^w"]) && digest([]) == digest([]))
  }

  @Test(.enabled(if: hasPatterns, "PCRE2 is not installed"), arguments: [("(章", 2), ("第[", 2), ("a**b", 2)])
  func `A pattern that is none is told with its place`(pattern: String, character: Int) {
    let fault = #expect(throws: RegularExpression.Fault.self) { try RegularExpression(pattern) }
    var place: Int?
    if case .invalid(_, let character)? = fault { place = character }
    #expect(place == character, "\(String(describing: fault))")
  }

  @Test func `Repeated headings begin no chapter`() throws {
    #expect(try titles("第一章 起\n　　一段。\n第一章 起\n　　二段。\n第二章 承\n　　三段。\n") == ["第一章 起", "第二章 承"])
  }

  @Test(arguments: [
    "┌───┬──┐\n│ a │b │\n├───┼──┤\n│ c │d │\n└───┴──┘",
    "+---+----+\n| a | b  |\n+---+----+",
    "| a | b |\n|---|---|\n| c | d |",
    "├── Sources\n│   └── a.swift\n└── Tests", "Package\n├── Sources\n└── Tests",
  ])
  func `What is drawn with characters keeps its columns`(table: String) throws {
    let lines = table.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    let dump = try body("Some words are here.\n\n\(lines)\n\nMore words.\n")
    #expect(dump.ranges(of: "<pre").count == 1)
    // All of it is one text, a line under the other.
    let drawn = table.split(separator: "\n").joined(separator: "\\n")
    #expect(dump.contains(drawn), "\(dump)")
  }

  @Test(arguments: ["Er sagte | nichts |\nund ging.", "|| a ||\nwas said.", "────────────", "+ 5 +"])
  func `Strokes alone draw nothing`(text: String) throws {
    #expect(!(try body("Some words are here.\n\n\(text)\n\nMore words.\n").contains("<pre")))
  }

  @Test func `Korean lines are joined within words where they were broken there`() throws {
    let words = "등대지기는 바람이 부는 밤마다 계단을 올라가 작은 불빛을 하나씩 켜 두었고 아무도 그 까닭을 묻지 않았다".split(separator: " ")
    let text = Array(repeating: words, count: 12).flatMap(\.self).joined(separator: " ")
    // Nineteen columns of two, a space at a line's end where one fell there.
    var lines = [""]
    var width = 0
    for character in text {
      let own = character == " " ? 1 : 2
      if width + own > 38 { (lines, width) = (lines + [""], 0) }
      lines[lines.count - 1].append(character)
      width += own
    }
    #expect(try body(lines.joined(separator: "\n")).contains(text))
    // Lines that are broken between words are joined by spaces.
    var wrapped = [""]
    for word in text.split(separator: " ") {
      if wrapped[wrapped.count - 1].count + word.count > 19 { wrapped.append("") }
      wrapped[wrapped.count - 1] += (wrapped[wrapped.count - 1].isEmpty ? "" : " ") + word
    }
    #expect(try body(wrapped.joined(separator: "\n")).contains(text))
  }

  /// Lines broken at a column.
  private static let prose = Array(
    repeating:
      "The keeper of the sluice writes down what the gauge says, and goes on to\nthe next gate before the kettle boils over.\n",
    count: 8
  ).joined()

  @Test(arguments: [
    ("The Sluice\n==========", "Gates\n-----", "Wheels\n------"),
    ("==========\nThe Sluice\n==========", "Gates\n~~~~~", "Wheels\n~~~~~~"),
    ("1. The Sluice", "1.1 Gates", "1.2 Wheels"), ("0. The Sluice", "0.1. Gates", "0.2. Wheels"),
  ])
  func `Sections of a manual are headings`(titles: (String, String, String)) throws {
    let all = [titles.0, titles.1, titles.2]
    let book = try book(all.map { "\($0)\n\n\(Self.prose)" }.joined(separator: "\n"))
    #expect(book.chapters.count == 1)
    let dump = book.document(at: 0).dump()
    let words = all.map { $0.split(separator: "\n").first { $0.contains("e") } ?? "" }
    #expect(book.chapters[0].headings.map(\.title) == words.map(String.init))
    #expect(book.chapters[0].headings.map(\.level) == [0, 1, 1])
    // The first one begins the chapter.
    let ids = book.chapters[0].headings.compactMap(\.id)
    #expect(ids.count == 2 && ids.allSatisfy { dump.contains("id=\"\($0)\"") })
    #expect(dump.ranges(of: "<h1").count == 1 && dump.ranges(of: "<h2").count == 2)
  }

  @Test(arguments: [
    ["I. The Sluice", "II. Gates", "III. Wheels"], ["I. The Sluice", "II. Gates", "IV. Wheels"],
    ["*** The Sluice ***", "*** Gates ***"], ["== The Sluice ==", "== Gates =="], ["━━ The Sluice  ━━", "━━ Gates ━━"],
  ])
  func `Sections have Roman numbers, or stand between signs that are not seen`(titles: [String]) throws {
    let book = try book(titles.map { "\($0)\n\n\(Self.prose)" }.joined(separator: "\n"))
    let words = titles.map { title in
      title.split { "*=━".contains($0) }.joined().split(separator: " ").joined(separator: " ")
    }
    #expect(book.chapters.flatMap(\.headings).map(\.title) == words)
    let dump = book.document(at: 0).dump()
    #expect(dump.ranges(of: "class=\"mark\"").count == (titles[0].hasPrefix("I") ? 0 : titles.count * 2))
  }

  @Test func `Lines that hang out of a text that is set in are titles of sections`() throws {
    let prose = Self.prose.split(separator: "\n").map { "   \($0)\n" }.joined()
    let text = ["Name", "Gates and Wheels", "See also"].map { "\($0)\n\n\(prose)\n" }.joined()
    #expect(try titles(text) == ["Name", "Gates and Wheels", "See also"])
    #expect(try titles("Name\n\n\(prose)\n") == [])
  }

  @Test func `Words that read like a chapter do not hide the sections of a manual`() throws {
    let text = ["Introduction", "Gates", "Wheels"].map {
      "\($0)\n\(String(repeating: "-", count: $0.count))\n\n\(Self.prose)\n"
    }
    #expect(try titles(text.joined()) == ["Introduction", "Gates", "Wheels"])
  }

  @Test func `No-break spaces stand in headings, too`() throws {
    #expect(try titles("Chapter\u{A0}2.\u{A0}The Wheels\n\n\(Self.prose)") == ["Chapter\u{A0}2.\u{A0}The Wheels"])
  }

  @Test func `Sentences that were broken before a number begin no chapter`() throws {
    let sentence = "What a gate does when nobody looks at it for a whole night is told in\nSection 4.1\n"
    #expect(try titles("\(Self.prose)\n\(sentence)\n\(Self.prose)") == [])
    #expect(try titles("\(Self.prose)\nSection 4.1\n\n\(Self.prose)") == ["Section 4.1"])
  }

  @Test func `Long sections of a manual are chapters`() throws {
    let prose = String(repeating: Self.prose, count: 5)
    let text = ["One", "Two", "Three"].map { "\($0)\n\(String(repeating: "=", count: $0.count))\n\n\(prose)\n" }
      .joined()
    let book = try book(text)
    #expect(book.chapters.map(\.title) == ["One", "Two", "Three"])
    #expect(book.chapters.allSatisfy { $0.headings.allSatisfy { $0.id == nil } })
  }

  @Test func `A manual whose sections are mostly short is one chapter`() throws {
    let long = String(repeating: Self.prose, count: 10)
    let sections = [("Name", "A sluice.\n"), ("Gates", long), ("Files", "None.\n"), ("Wheels", long)]
    let book = try book(
      sections.map { "\($0)\n\(String(repeating: "=", count: $0.count))\n\n\($1)\n" }.joined())
    #expect(book.chapters.count == 1 && book.chapters[0].headings.map(\.title) == sections.map(\.0))
  }

  @Test(arguments: [
    "1. Flour\n\n2. Sugar\n\n3. Salt\n", "1. It rained.\n\n2. It snowed.\n\n3. It thawed.\n", "Name\n----\n",
    "*** Rain ***\n", "** Rain *\n\n** Snow *\n", "*** ***\n\n*** ***\n",
    "Gate    Wheel\n-----   -----\none     two\n",
  ])
  func `Lists and heads of tables are no sections`(text: String) throws {
    #expect(try titles("\(Self.prose)\n\(text)\n\(Self.prose)") == [])
  }

  @Test func `Wide characters take two columns of a table`() throws {
    let dump = try body("一些文字。\n\n┌────┐\n│架构│\n└────┘\n\n一些文字。\n")
    #expect(dump.contains("class=\"wide\"") && dump.contains("架构"))
  }

  @Test func `Items of lists go on under their text`() throws {
    let text = """
      A paragraph of some words before.

        • The first item is long and goes
          on here.
        • The second

        1. One thing that is
           numbered.
           1.1. It has a part.
        2. Another.
        - A dash with a line
          under it.

      - One that speaks.

      """
    let dump = try body(text)
    #expect(dump.ranges(of: "class=\"item\"").count == 5)
    #expect(dump.contains("The first item is long and goes on here."))
    #expect(dump.contains("One thing that is numbered.") && dump.contains("A dash with a line under it."))
    // Signs have the room that the lines under them are set in by.
    #expect(dump.ranges(of: "class=\"sign\" style=\"min-inline-size: 1.5em\"").count == 2)
    #expect(dump.contains("text-indent: -1.0em") && dump.contains("text-indent: -1.5em"))
  }

  @Test func `Contents are no chapters`() throws {
    let text = "目录\n第一章 起\n第二章 承\n\n第一章 起\n　　一段。\n第二章 承\n　　二段。\n"
    #expect(try titles(text) == ["第一章 起", "第二章 承"])
    let all = try book(text)
    #expect(all.chapters.count == 3)
    #expect(all.document(at: 0).dump().contains("第二章 承"))
  }

  @Test func `Volumes begin with their first chapter`() throws {
    let chapters = try book("第一卷 风起\n第1章 一\n　　甲。\n第2章 二\n　　乙。\n第二卷 云涌\n第3章 三\n　　丙。\n").chapters
    #expect(chapters.map { $0.headings.map(\.level) } == [[0, 1], [1], [0, 1]])
  }

  @Test func `Wrapped English is joined`() throws {
    let lines = (1...4).map { _ in
      "It was the best of times, it was the worst of times, it was the age\nof wisdom, it was the age of foolishness, it was the epoch of belief,\nit was the epoch of incredulity.\n\n"
    }.joined()
    let dump = try body(lines + "Roses are red,\nviolets are blue.\n")
    #expect(dump.contains("worst of times, it was the age of wisdom, it was"))
    #expect(
      dump.hasSuffix(
        "<p class=\"verse stanza\">\n  \"Roses are red,\"\n  <br>\n  \"violets are blue.\""
      ))
  }

  @Test func `What stands between underscores is slanted, names with them are not`() throws {
    let dump = try body("“_Un_important,” he said of_a_name, and it was _very\nstrange_ to ____ all.\n")
    #expect(dump.contains("<i>\n    \"Un\""), "\(dump)")
    #expect(dump.contains("of_a_name") && dump.contains("____"))
    let wrapped = (1...8).map { _ in "It was a long line of text that was broken at its margin here and\nwent on. " }
      .joined()
    let emphasised = try body(
      wrapped + "\n\n" + "It was _all of them without any exception that was known to those\nwho were_ there.\n")
    #expect(emphasised.contains("all of them") && emphasised.contains("<i>"), "\(emphasised)")
  }

  @Test func `Chinese lines are paragraphs`() throws {
    #expect(try body("　　第一段。\n　　第二段。\n\n第三段。") == "<p>\n  \"第一段。\"\n<p>\n  \"第二段。\"\n<p>\n  \"第三段。\"")
  }

  @Test func `Chinese lines that end inside sentences are joined, short paragraphs among them or not`() throws {
    let broken = String(repeating: "盖死生出入之权舆幽枉屈伸之机括于是乎决\n法中所以通着今佐理据者谨之至也年来州县\n悉以委之初官。\n诸尸应验。\n", count: 8)
    let joined = try body(broken)
    #expect(joined.contains("于是乎决法中所以") && joined.contains("年来州县悉以委之"), "\(joined)")
    #expect(!joined.contains("初官。诸尸"))
    // Lines as long that end with their sentences are paragraphs.
    let whole = String(repeating: "盖死生出入之权舆幽枉屈伸之机括于是乎决。\n法中所以通着今佐理据者谨之至也年来州县。\n悉以委之初官。\n诸尸应验。\n", count: 8)
    #expect(try !body(whole).contains("乎决。法中"))
  }

  @Test func `Words of English in a Japanese text are joined though they leave more room at the margin`() throws {
    let sentence = "水車の番人は毎朝ここで水位を読み、帳面に書きとめてから次の水門へ歩いて\nいくのである。\n\n"
    let english = "The keeper writes down what the gauge says before the\nextraordinarily old kettle boils over.\n"
    let dump = try body("\(String(repeating: sentence, count: 12))\(english)")
    #expect(dump.contains("before the extraordinarily old"), "\(dump)")
  }

  @Test func `Lines are joined by the column of those around them, however many columns a text has`() throws {
    func chapter(_ number: String, _ column: Int) -> String {
      let sentence = Array(
        "這一日天色將晚，江邊的漁人收了網，三三兩兩沿著堤岸走回村裡去。老人坐在門前，看著水面上一點一點暗下來，心裡想著遠方的兒子，不知道今年能不能回來過年，")
      var lines = ["第\(number)回　漁人", ""]
      for line in 0..<30 {
        let start = line * column
        lines.append(String((start..<start + column).map { sentence[$0 % sentence.count] }))
        if line % 10 == 9 { lines.append("了。") }
      }
      return lines.joined(separator: "\n") + "\n"
    }
    let text = chapter("一", 33) + chapter("二", 27) + chapter("三", 35)
    for number in 0..<3 {
      let paragraphs = try body(text, chapter: number).split(separator: "\n").filter { $0 == "<p>" }.count
      #expect(paragraphs == 3, "chapter \(number) has \(paragraphs) paragraphs")
    }
  }

  @Test(arguments: ["<", "‹"]) func `Marks of digitised classics are not seen`(open: String) throws {
    let text =
      "\(open)篇名>洗冤集录\n書名：洗冤集录\n\n\(open)目录>卷之一\n\n\(open)篇名>一·条令\n\n属性：诸尸应验而不验。\n\\x附\\x 诸尸。\n\n\(open)目录>卷之一\\二\n\n\(open)篇名>二·检覆\n\n属性：凡验官多是差厅子。\n"
    #expect(try titles(text) == ["洗冤集录", "卷之一", "一·条令", "二·检覆"])
    let dump = try body(text, chapter: 1)
    #expect(dump.contains("<span class=\"mark\">\n    \"属性：\"\n  \"诸尸应验而不验。\""), "\(dump)")
    #expect(dump.contains("<span class=\"mark\">\n    \"\\x\"\n  \"附\""), "\(dump)")
    #expect(dump.contains("<p class=\"mark\">\n  \"\(open)目录>卷之一\\二\""), "\(dump)")
  }

  @Test func `Headings of three lines are whole`() throws {
    #expect(
      try titles("CHAPTER I\nTHE FIRST LINE OF A TITLE\nAND ITS SECOND\n\nText of it.\n\nMore.\n")
        == ["CHAPTER I THE FIRST LINE OF A TITLE AND ITS SECOND"])
    #expect(
      try titles("CHAPTER II. OF THE HARBOUR\nAND THE BOATS\n\nText of it.\n\nMore.\n")
        == ["CHAPTER II. OF THE HARBOUR AND THE BOATS"])
    #expect(try titles("第一回\n漁人晚歸江邊路\n老婦勸湯月下門\n\n　　正文。\n") == ["第一回 漁人晚歸江邊路 老婦勸湯月下門"])
    #expect(try titles("Chapter 1\nIt was late and the boats\nturned on their ropes.\n\nMore.\n") == ["Chapter 1"])
  }

  @Test func `The first paragraph below a heading follows no gap`() throws {
    let dump = try body("第一回\n\n\n\n　　一段。\n\n\n\n　　二段。\n")
    #expect(dump.contains("<p>\n  \"一段。\"") && dump.contains("<p class=\"gap\">\n  \"二段。\""), "\(dump)")
  }

  @Test func `Ruby and notes are read`() throws {
    let dump = try body("題\n著者\n\n此《こ》の疲労｜困憊《こんぱい》です。［＃改ページ］かな《》も。漢字《かんじ》\n")
    #expect(dump.contains("<ruby>\n    \"此\"\n    <rt>\n      \"こ\""))
    #expect(dump.contains("\"の疲労\"\n  <span class=\"mark\">\n    \"｜\"\n  <ruby>\n    \"困憊\""))
    #expect(dump.contains("<span class=\"note\">\n    \"［＃改ページ］\""))
  }

  @Test func `Notes of Aozora Bunko on the place of lines are obeyed`() throws {
    let dump = try body(
      "題\n著者\n\n此《こ》の花。\n［＃２字下げ］歌\n［＃地から１字上げ］（一日）\n［＃ここから２字下げ、折り返して３字下げ］\n手紙\n［＃ここで字下げ終わり］\n寒い［＃「寒い」に傍点］夜\n")
    #expect(dump.contains("<h1>\n  \"題\"\n<p class=\"author\">\n  \"著者\""))
    #expect(dump.contains("<p style=\"text-indent: 0em; margin-inline: 2em 0em\">"))
    #expect(dump.contains("<p style=\"text-indent: 0em; margin-inline: 0em 1em; text-align: end\">"))
    #expect(dump.contains("<p style=\"text-indent: -1em; margin-inline: 3em 0em\">\n  \"手紙\""))
    #expect(dump.contains("<em>\n    \"寒い\""))
  }

  @Test func `Sections of Japanese texts that are only numbers`() throws {
    let text = ["一", "二", "三"].map {
      "　　　$0\n\n　山路を登りながら、こう考えた。\n　智に働けば角が立つ。\n　情に棹させば流される。\n".replacing("$0", with: $0)
    }.joined()
    #expect(try titles(text) == ["一", "二", "三"])
  }

  @Test func `A title apart from its number, the lines of a title page, and insets of verse`() throws {
    let prose = (1...4).map { _ in
      "It was the best of times, it was the worst of times, it was the age\nof wisdom, it was the age of foolishness, it was the epoch of belief,\nit was the epoch of incredulity.\n\n"
    }.joined()
    let text =
      "The Two Cities\n\nby Ann Other\n\n\nCHAPTER I\n\nThe Period\n\n\n\(prose)Roses are red,\n  violets are blue.\n"
    let book = try book(text)
    #expect(book.title == "The Two Cities" && book.author == "Ann Other")
    #expect(try titles(text) == ["CHAPTER I The Period"])
    #expect(try body(text).hasPrefix("<h1>\n  \"The Two Cities\"\n<p class=\"author\">"))
    #expect(
      try body(text, chapter: 1).hasSuffix("<br>\n  \"\u{2002}\u{2002}violets are blue.\""))
  }

  @Test func `Markup is text`() throws {
    #expect(
      try body("<b>x</b> &amp;.\u{0}\u{2028}y.\u{85}z.") == "<p>\n  \"<b>x</b> &amp;.\"\n<p>\n  \"y.\"\n<p>\n  \"z.\"")
  }

  @Test func `Many chapters are quick`() throws {
    let book = try book((1...20_000).map { "第\($0)章\n一。\n" }.joined())
    #expect(book.chapters.count == 20_000)
    #expect(book.language == "zh-Hans" || book.language == "zh-Hant")
  }

  // MARK: Verse

  /// The lines of verse in a chapter, a stanza a string.
  private func stanzas(_ text: String) throws -> [String] {
    try body(text).components(of: "<p class=\"verse").dropFirst().map { stanza in
      stanza.split(separator: "\n").prefix { !$0.hasPrefix("<") }.filter { $0.hasPrefix("  \"") }.map {
        $0.dropFirst(3).dropLast()
      }
      .joined(separator: "/")
    }
  }

  @Test func `Short lines that end no sentence are verse, each stanza a paragraph`() throws {
    let text =
      "Under the wide and starry sky,\nDig the grave and let me lie.\nGlad did I live and gladly die,\nAnd I laid me down with a will.\n\n  Here he lies where he longed to be;\n  Home is the sailor, home from sea,\n  And the hunter home from the hill.\n"
    #expect(try stanzas(text).count == 2)
    // Answers of a dialogue are sentences.
    #expect(try stanzas("— Where is he?\n— At home.\n— When will he come?\n— Never.\n").isEmpty)
  }

  @Test func `Lines of blank verse are as long as each other and begin with capitals`() throws {
    let text =
      "Of Man's first disobedience, and the fruit\nOf that forbidden tree whose mortal taste\nBrought death into the World, and all our woe,\nWith loss of Eden, till one greater Man\nRestore us, and regain the blissful seat,          5\nSing, Heavenly Muse, that, on the secret top\n"
    #expect(try stanzas(text).count == 1)
    let dump = try body(text)
    #expect(dump.contains("seat,\"\n  <span class=\"number\">\n    \" 5\""), "\(dump)")
  }

  @Test func `Clauses of one length are Chinese verse, and a line alone above them is its title`() throws {
    let text = "诗选\n\n他写了两首诗，都在这里。\n\n静夜思\n\n床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。\n\n春望\n\n国破山河在，城春草木深。\n感时花溅泪，恨别鸟惊心。\n"
    #expect(try stanzas(text) == ["床前明月光，/疑是地上霜。/举头望明月，/低头思故乡。", "国破山河在，城春草木深。/感时花溅泪，恨别鸟惊心。"])
    #expect(try body(text).contains("<h3>\n  \"静夜思\""))
    #expect(try stanzas("　　他来了。\n　　她走了。\n　　谁也不知道他们去了哪里。\n").isEmpty)
  }

  // MARK: Notices

  @Test func `The header and the licence of Project Gutenberg stand apart, and the header names the book`() throws {
    let text =
      "The Project Gutenberg eBook of A Tale\n\nTitle: A Tale\n\nAuthor: Ann Other\n\n*** START OF THE PROJECT GUTENBERG EBOOK A TALE ***\n\nA TALE\n\nby Ann Other\n\nCHAPTER I\n\nIt was so.\n\n*** END OF THE PROJECT GUTENBERG EBOOK A TALE ***\n\nSection 1. General Terms\n\nNo restrictions.\n"
    let book = try book(text)
    #expect(book.title == "A Tale" && book.author == "Ann Other")
    #expect(book.chapters.flatMap(\.headings).map(\.title) == ["CHAPTER I"])
    let first = book.document(at: 0).dump()
    #expect(first.contains("<div class=\"license\">"))
    #expect(
      first.contains("<h1>\n      \"A TALE\"\n    <p class=\"author\">"), "\(first)"
    )
    let last = book.document(at: 1).dump()
    #expect(last.contains("<div class=\"license\">") && last.contains("Section 1. General Terms"))
  }

  @Test func `The legend and the colophon of Aozora Bunko stand apart, and its rules are lines`() throws {
    let rule = String(repeating: "-", count: 40)
    let dump = try body(
      "題\n著者\n\n\(rule)\n【テキスト中に現れる記号について】\n\n《》：ルビ\n\(rule)\n\n此《こ》の花。\n花《はな》が咲く。\n\n底本：「全集」文庫\n入力：人\n")
    #expect(dump.components(of: "<div class=\"legend\">").count == 3)
    #expect(dump.components(of: "<p class=\"rule\">").count == 3)
  }

  @Test func `Notes of characters that are in no encoding become these characters`() throws {
    let dump = try body(
      "題\n著者\n\n此《こ》の※［＃「てへん＋劣」、第3水準1-84-77］と※［＃「口＋愛」、U+566F、12-3］、caf※［＃アキュートアクセント付きE小文字、1-9-63］。\n※［＃「火＋華」、第3水準1-87-62］《はな》の※［＃知らない字、3-4］花。\n"
    )
    #expect(dump.contains("の挘と噯、café。"), "\(dump)")
    #expect(dump.contains("<ruby>\n    \"燁\"") && dump.contains("［＃知らない字、3-4］"), "\(dump)")
  }

  @Test func `Lines are joined although tables stick out of the margin`() throws {
    let prose = (1...12).map { _ in
      "It was the best of times, it was the worst of times, it was the age\nof wisdom, it was the age of foolishness, it was the epoch of belief,\nit was the epoch of incredulity.\n\n"
    }
    let table = String(repeating: "wide ", count: 20) + "\n" + String(repeating: "cell ", count: 20) + "\n\n"
    let dump = try body(prose.joined() + table + prose.joined() + table)
    #expect(dump.contains("it was the age of wisdom"), "\(dump)")
  }
}

extension String {
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}

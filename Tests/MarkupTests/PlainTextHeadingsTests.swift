import Markup
import Testing

/// Chapters by words and numbers of many languages, in texts whose lines were broken at a margin.
@Suite struct PlainTextHeadingsTests {
  private func book(_ text: String) throws -> PlainTextBook {
    try #require(PlainTextReader.read(Array(text.utf8), name: "book.txt"))
  }
  private func titles(_ text: String) throws -> [String] { try book(text).chapters.flatMap(\.headings).map(\.title) }

  /// Paragraphs of two lines, broken at a column.
  private static let prose = Array(
    repeating:
      "The keeper of the sluice writes down what the gauge says, and goes on to\nthe next gate before the kettle boils over.\n\n",
    count: 6
  ).joined()

  private func text(_ headings: [String]) -> String { headings.map { "\($0)\n\n\(Self.prose)" }.joined() }

  @Test(arguments: [
    "Capítol #. Els molins", "Kapitola #. Mlýny", "Κεφάλαιο #. Οι μύλοι", "Bab #. Kincir", "Hoofdstuk #. De molens",
    "Capitol #. Morile", "Cap. #. Morile", "Chương #. Cối xay", "Skyrius #. Malūnai", "#장. 물레방아", "#. fejezet",
    "#. fejezet: A malmok", "#. luku", "#. Bölüm", "Bölüm #: Değirmenler", "#. Kapitel", "#-я глава", "第#章 水車",
    "제#장 물레방아",
    "ĈAPITRO #", "Peatükk #. Veskid", "#. peatükk", "Poglavlje #", "Pennod #", "Kafli #", "Գլուխ #", "الفصل #",
  ])
  func `Chapters are counted in many languages`(form: String) throws {
    let headings = (1...4).map { form.replacing("#", with: String($0)) }
    #expect(try titles(text(headings)) == headings)
  }

  @Test(arguments: ["Strofe #. Über das Meer", "Strofe #", "Hymnus # — Am Wehr", "#. Strofe", "#. strofe: Am Wehr"])
  func `A word that only the text knows counts its chapters`(form: String) throws {
    let headings = ["I", "II", "III", "IV"].map { form.replacing("#", with: $0) }
    #expect(try titles(text(headings)) == headings)
    // Two may be anything.
    #expect(try titles(text(Array(headings.prefix(2)))) == [])
  }

  @Test(arguments: [
    "Table #. Water levels", "Abbildung #. Wasserstände", "Step #. Open the gate", "Page #", "Fig. #. Gates",
  ])
  func `Tables, figures, steps and pages are no chapters`(form: String) throws {
    #expect(try titles(text((1...4).map { form.replacing("#", with: String($0)) })) == [])
  }

  @Test(arguments: [
    ["Erstes Kapitel", "Zweites Kapitel", "Drittes Kapitel", "Einundzwanzigstes Kapitel"],
    ["Das erste Kapitel", "Das zweite Kapitel", "Das letzte Kapitel"],
    ["ERSTES KAPITEL. Am Wehr", "ZWEITES KAPITEL. Im Regen", "DRITTES KAPITEL. Daheim"],
    ["Första kapitlet", "Andra kapitlet", "Tredje kapitlet"],
    ["Eerste hoofdstuk", "Tweede hoofdstuk", "Derde hoofdstuk"],
    ["ENSIMMÄINEN LUKU", "TOINEN LUKU", "KOLMAS LUKU"], ["Rozdział pierwszy", "Rozdział drugi", "Rozdział trzeci"],
    ["Capítulo primero", "Capítulo segundo", "Capítulo vigésimo tercero"],
    ["Chapitre premier", "Chapitre deuxième", "Chapitre troisième"],
    ["Capitolo primo", "Capitolo secondo", "Capitolo terzo"],
    ["Глава первая", "Глава двадцать вторая", "Глава третья"], ["Első fejezet", "Második fejezet", "Harmadik fejezet"],
    ["Prvo poglavlje", "Drugo poglavlje", "Treće poglavlje"], ["Birinci Bölüm", "İkinci Bölüm", "Üçüncü Bölüm"],
    ["The First Chapter", "The Second Chapter", "The Last Chapter"],
  ])
  func `Words say the numbers of chapters`(headings: [String]) throws {
    #expect(try titles(text(headings)) == headings)
  }

  @Test func `Two parts are enough where chapters are said`() throws {
    let headings = ["Erster Teil", "Erstes Kapitel", "Zweites Kapitel", "Zweiter Teil", "Drittes Kapitel"]
    let all = try book(text(headings)).chapters.flatMap(\.headings)
    #expect(all.map(\.title) == headings && all.map(\.level) == [0, 1, 1, 0, 1])
    let mixed = ["PREMIÈRE PARTIE", "CHAPITRE I", "CHAPITRE II", "DEUXIÈME PARTIE", "CHAPITRE III"]
    #expect(try titles(text(mixed)) == ["CHAPITRE I", "CHAPITRE II", "CHAPITRE III"])
    let near = "PREMIÈRE PARTIE\n\n\(text(Array(mixed[1...2])))DEUXIÈME PARTIE\n\n\(text([mixed[4]]))"
    #expect(try titles(near) == mixed)
    #expect(try titles(text(["Der erste Teil", "Ein Lied", "Der zweite Teil"])) == [])
  }

  @Test(arguments: [
    ["The book was wet", "My own book", "Her mother's book was lost"],
    ["In this chapter!", "In that chapter?", "In no chapter,"],
  ])
  func `Short sentences that name a chapter are none`(lines: [String]) throws {
    #expect(try titles(text(lines)) == [])
  }

  @Test(arguments: [
    "Appendix #. Tables", "Anhang #. Tafeln", "Annexe #. Tables", "Bijlage #. Tabellen", "Příloha #. Tabulky",
    "Приложение #. Таблицы", "附录 #. 表格", "付録# 表", "부록 #. 표", "# függelék", "#. pielikums. Tabulas", "Phụ lục #. Bảng",
  ])
  func `Appendices are counted by letters`(form: String) throws {
    let headings = ["Chapter 1. Gates", "Chapter 2. Wheels"] + ["A", "B", "C"].map { form.replacing("#", with: $0) }
    let all = try book(text(headings)).chapters.flatMap(\.headings)
    #expect(all.map(\.title) == headings && all.allSatisfy { $0.level == 0 })
  }

  /// A paragraph that breaks before a line.
  private func paragraph(_ line: String) -> String {
    "The keeper writes down what the gauge says, and more of this is in\n\(line)\nwhich nobody reads before the kettle boils over and the water runs.\n\n"
  }

  @Test(arguments: [
    "Chapter 2, Wheels and Locks.", "Chapter 2, Wheels, and in Appendix A, Tables", "Chapter 2. Wheels",
    "Section 2.3, “Wheels”", "Section 2.3, “Wheels”)", "Section B.3, “Wheels”", "Appendix A, Tables.",
  ])
  func `References in paragraphs are no headings`(reference: String) throws {
    let headings = ["Chapter 1. Gates", "Chapter 2. Wheels", "Chapter 3. Locks", "Appendix A. Tables"]
    let parts = headings.map { "\($0)\n\n\(Self.prose)\(paragraph(reference))\(Self.prose)" }
    #expect(try titles(parts.joined()) == headings)
  }

  @Test func `References that begin a paragraph are told by their comma, or by their number`() throws {
    let headings = ["Chapter 1. Gates", "Chapter 2. Wheels", "Chapter 3. Locks", "Chapter 4. Rain"]
    for reference in ["Chapter 3, Locks", "Chapter 4. Rain"] {
      let parts = headings.map { "\($0)\n\n\(Self.prose)" }
      #expect(try titles(parts[0] + "\(reference)\n\n" + parts.dropFirst().joined()) == headings, "\(reference)")
    }
  }

  @Test func `Headings may have commas, where all have`() throws {
    let headings = ["CHAPTER I, in which it rains", "CHAPTER II, in which it pours", "CHAPTER III, in which it ends"]
    #expect(try titles(text(headings)) == headings)
    #expect(try titles(text(headings.map { $0.replacing("CHAPTER", with: "Chapter") })) == [])
  }

  @Test func `A long title goes on in the next line, a paragraph is none`() throws {
    let title = "Chapter 2. What the keeper of the sluice wrote down, and what she did\nnot say"
    let paragraph =
      "Chapter 4 The keeper of the sluice writes down what the gauge says, and\n\(String(repeating: "goes on to the next gate before the kettle boils over, as she does, and\n", count: 3))\n"
    let headings = ["Chapter 1. Gates", title, "Chapter 3. Locks"]
    #expect(
      try titles(text(headings) + paragraph)
        == headings.map { $0.replacing("\n", with: " ") })
  }

  @Test func `Korean sentences that begin with a number are no chapters`() throws {
    let line = "제6회 물레방아 모임이 지난해 7월 10일부터 17일까지 강가 마을에서 많은 사\n"
    let more = "람이 참여한 가운데 열렸고 물레방아지기는 아침마다 수위를 읽고 적었으며 그\n"
    let paragraph = "\(line)\(more)\(more)\(more)보고 돌아갔다.\n\n"
    let headings = ["1장. 물레방아", "2장. 수문", "3장. 비"]
    let text = headings.map { "\($0)\n\n\(String(repeating: paragraph, count: 4))" }.joined()
    #expect(try titles(text) == headings)
  }

  @Test func `A list of steps is not the contents of a book`() throws {
    let steps =
      "1. Open the gate\n\n  Turn the wheel.\n\n2. Wait for rain\n\n  Read the gauge.\n\n3. Shut the gate\n\n  Go home.\n\n"
    let long = String(repeating: Self.prose, count: 10)
    #expect(try titles(long + steps + long) == [])
  }

  @Test func `Underlined titles in Japanese are sections, and the first one names the book`() throws {
    let sentence = "水車の番人は毎朝ここで水位を読み、帳面に書きとめてから次の水門へ歩いて\nいく。\n\n"
    let prose = String(repeating: sentence, count: 30)
    let text =
      "水車の手引き\n************\n\n\(sentence)"
      + ["1. 水門", "2. 水車"].map { "\($0)\n*******\n\n\(prose)1.1. 部品\n=========\n\n\(prose)" }.joined()
    let all = try book(text)
    #expect(all.title == "水車の手引き" && all.language == "ja")
    #expect(
      all.chapters.flatMap(\.headings).map(\.title) == ["水車の手引き", "1. 水門", "1.1. 部品", "2. 水車", "1.1. 部品"])
  }

  @Test func `A long line alone at the top is the title`() throws {
    let title = "A Handbook of Sluices, Gates and Wheels for Keepers of Every Age"
    #expect(try book("\(title)\n\n\(text(["Chapter 1. Gates"]))").title == title)
    #expect(try book("\(title).\n\n\(text(["Chapter 1. Gates"]))").title == "book")
  }

  @Test func `Underlined chapters have the sections between them`() throws {
    func underlined(_ title: String, _ sign: Character) -> String {
      "\(title)\n\(String(repeating: sign, count: title.count))\n\n\(Self.prose)"
    }
    let text =
      underlined("The Sluice", "=")
      + ["1. Gates", "2. Wheels", "3. Locks"].map {
        underlined("Chapter \($0)", "=") + underlined("Parts", "-")
      }.joined()
    let all = try book(text)
    #expect(all.title == "The Sluice")
    #expect(all.chapters.flatMap(\.headings).map(\.level) == [0, 0, 1, 0, 1, 0, 1])
  }

  private func body(_ text: String) throws -> String { try book(text).document(at: 0).dump() }

  @Test func `Entries of a list of contents are paragraphs, however full the line before them is`() throws {
    let contents = """
      The Sluice
      1. What the keeper of the sluice writes down, and what she never would
          1.1. Gates
          1.2. What the keeper of the second gate does when nobody looks at
          him
      A. Tables

      """
    let dump = try body("\(Self.prose)\(contents)\n\(Self.prose)")
    #expect(dump.ranges(of: "class=\"item\"").count == 4, "\(dump)")
    #expect(dump.contains("nobody looks at him") && dump.contains("margin-inline-start: 4.0em"), "\(dump)")
    // One entry in ten may be as long as a paragraph.
    func list(_ count: Int) -> String {
      let short = (1...count).map { "1.\($0). Gate \($0)\n" }.joined()
      return "\(Self.prose)\(short)1.\(count + 1). What the keeper\nwrites down\nwhen nobody\nlooks\n\n\(Self.prose)"
    }
    #expect(try body(list(9)).ranges(of: "class=\"item\"").count == 10)
    #expect(try !body(list(3)).contains("class=\"item\""))
    // Years and steps are none.
    let steps = "1. Open the gate\n2. Wait for rain\n3. Shut the gate\n\n"
    #expect(!(try body("\(Self.prose)\(steps)\(Self.prose)").contains("class=\"item\"")))
  }

  @Test func `Stars before several lines apart are signs of items, one star is none`() throws {
    let dump = try body("\(Self.prose)* Gates\n\n  * Wheels and\n    locks\n\n  * Rain\n\n\(Self.prose)")
    #expect(dump.ranges(of: "class=\"item\"").count == 3, "\(dump)")
    for text in ["* Gates are open.\n\n", "* * *\n\n* * *\n\n", "- Gates?\n\n- Open.\n\n"] {
      #expect(!(try body("\(Self.prose)\(text)\(Self.prose)").contains("class=\"item\"")), "\(text)")
    }
  }

  @Test func `Titles in Japanese that were broken are joined without a space`() throws {
    let sentence = "水車の番人は毎朝ここで水位を読み、帳面に書きとめてから次の水門へ歩いて\nいく。\n\n"
    let title = "1.1. 水車の番人が毎朝ここで水位を読んで帳面に書きとめるのはどうし\nてですか?"
    let text = ["第1章 水門", "第2章 水車", "第3章 雨"].map { "\($0)\n\n\(title)\n\n\(String(repeating: sentence, count: 8))" }
    let headings = try titles(text.joined())
    #expect(headings.count == 6 && headings[1] == title.replacing("\n", with: ""), "\(headings)")
  }

  @Test func `Names that end like a part of a book are no headings`() throws {
    #expect(try titles("\(Self.prose)Bind 9.10\n\n\(Self.prose)Aluminium Book\n\n\(Self.prose)") == [])
    let chapters = ["Chapter 1. Gates", "Chapter 2. Wheels", "Chapter 3. Locks"]
    let books = ["Red Book", "Green Book", "Blue Book"]
    #expect(try titles(text(zip(chapters, books).flatMap { [$0, $1] })) == chapters)
  }
}

import TestSupport
import Testing
import Typesetting

@Suite struct SearchTests {
  private func find(_ phrase: String, in body: String, _ options: SearchOptions = .standard) async throws
    -> [SearchResult]
  {
    let test = try TestBook()
    let typesetter = Typesetter(
      book: try await Book(contentsOf: test.epub([body], style: "q::before { content: 'added' }")))
    var results: [SearchResult] = []
    for await result in typesetter.search(phrase, options: options) { results.append(result) }
    return results
  }

  @Test(arguments: [
    // The query, the text, the match, and the option without which there is none.
    ("STRASSE", "Die Straße dort", "Straße", SearchOptions.ignoringCase),
    ("cafe", "ein Café hier", "Café", .ignoringDiacritics),
    ("cafe", "ein Cafe\u{301} hier", "Cafe\u{301}", .ignoringDiacritics),
    ("abc1", "ＡＢＣ①です", "ＡＢＣ①", .ignoringWidth), ("5kg", "ein ５㎏ Stein", "５㎏", .ignoringWidth),
    ("さくら", "桜はサクラと", "サクラ", .ignoringKana), ("ガラス", "窓のがらす", "がらす", .ignoringKana),
    ("oeuvre", "son Œuvre et", "Œuvre", .ignoringWidth), ("aether", "der Æther da", "Æther", .ignoringWidth),
    ("ærø", "in Aero dort", "Aero", .ignoringWidth), ("lodz", "nach Łódź", "Łódź", .ignoringDiacritics),
    ("don't", "I don’t know", "don’t", .ignoringPunctuationForms),
    ("don’t", "I don't know", "don't", .ignoringPunctuationForms),
    ("\"no\"", "He said «no».", "«no»", .ignoringPunctuationForms),
    ("1914-1918", "im Krieg 1914–1918 da", "1914–1918", .ignoringPunctuationForms),
    ("wellknown", "a well-known face", "well-known", .ignoringHyphens),
    ("wellknown", "a well－known face", "well－known", .ignoringHyphens),
    ("שלום", "שָׁלוֹם", "שָׁלוֹם", .ignoringDiacritics), ("寶玉", "却说宝玉来", "宝玉", .ignoringChineseForms),
    ("宝玉", "卻說寶玉來", "寶玉", .ignoringChineseForms), ("国語", "日本の國語", "國語", .ignoringChineseForms),
  ])
  func `Differences that do not count`(_ phrase: String, _ text: String, _ match: String, _ option: SearchOptions)
    async throws
  {
    #expect(try await find(phrase, in: "<p>\(text)</p>").map(\.match) == [match])
    #expect(try await find(phrase, in: "<p>\(text)</p>", SearchOptions.standard.subtracting(option)).isEmpty)
  }

  @Test func `A match ends where its characters end`() async throws {
    let test = try TestBook()
    let body = "<p>Un chef-d’œuvre, deux œuvres; l’<i>œ</i>il.</p>"
    let typesetter = Typesetter(book: try await Book(contentsOf: test.epub([body])))
    let layout = try await typesetter.layout(of: 0)
    func matches(_ phrase: String) async -> [String] {
      var found: [String] = []
      for await result in typesetter.search(phrase) {
        #expect(layout.text(result.range) == result.match)
        found.append(result.match)
      }
      return found
    }
    #expect(await matches("oeuvre") == ["œuvre", "œuvre"])
    #expect(await matches("d'oeuv") == ["d’œuv"])
    #expect(await matches("chef d'oeuvre").isEmpty)
    #expect(await matches("chef-d'oeuvre,") == ["chef-d’œuvre,"])
    #expect(await matches("l'oeil") == ["l’œil"])
    // Hyphens and dashes by themselves are looked for.
    #expect(await matches("—") == ["-"])
  }

  @Test func `What is never a difference`() async throws {
    #expect(try await find("two words", in: "<p>two\n   <b>wo</b>r\u{AD}ds</p>", []).map(\.match) == ["two words"])
    #expect(try await find("é", in: "<p>e\u{301}\u{E9}e</p>", []).count == 2)
    #expect(try await find("e", in: "<p>e\u{301}\u{E9}e</p>", []).count == 1)
    #expect(try await find("か", in: "<p>がか</p>").count == 1)
    #expect(try await find("added", in: "<p><q>quote</q></p>").isEmpty)
    #expect(try await find("  ", in: "<p>a b</p>").isEmpty)
  }

  @Test(arguments: [
    ("art", "Art, start; an art-form: the art’s arty.", ["Art", "art"]),
    ("don't", "don’t, I don’ts", ["don’t"]), ("an art", "an  art; van art", ["an art"]),
    ("e", "e\u{301} e", ["e\u{301}", "e"]),
    ("宝玉", "却说宝玉来", ["宝玉"]), ("さく", "さくら", ["さく"]), ("ab", "宝ab玉abc", ["ab"]), ("ไทย", "ภาษาไทยดี", ["ไทย"]),
  ])
  func `Whole words begin and end where words do`(_ phrase: String, _ text: String, _ matches: [String]) async throws {
    #expect(try await find(phrase, in: "<p>\(text)</p>", .standard.union(.wholeWords)).map(\.match) == matches)
  }

  @Test func `Results come in reading order with what is around them`() async throws {
    let test = try TestBook()
    let typesetter = Typesetter(
      book: try await Book(contentsOf: test.epub(["<p>The fox, the dog.</p>", "<p>No fox.</p><p>A fox</p>"])))
    var results: [SearchResult] = []
    for await result in typesetter.search("fox") { results.append(result) }
    #expect(results.map(\.range.lowerBound.chapter) == [0, 1, 1])
    #expect(results[0].before == "The " && results[0].after == ", the dog.")
    let layout = try await typesetter.layout(of: 0)
    #expect(layout.text(results[0].range) == "fox")
    #expect(layout.selectionRectangles(results[0].range, on: 0).count == 1)
    for await _ in typesetter.search("the") { break }
  }
}

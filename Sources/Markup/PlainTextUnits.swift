/// The words for the parts of books, by which plain texts count: chapters, volumes, appendices.
enum PlainTextUnits {
  /// The level of what a word in lower case counts: 0 for volumes and parts, 1 for chapters.
  static func level(of word: String) -> Int? { levels[word] }

  /// The word is the first of two that are one term.
  static func isFirst(_ word: String) -> Bool { word == "phụ" }

  /// The word heads an appendix, whose number may be a letter.
  static func isAppendix(_ word: String) -> Bool { appendices.contains(word) }

  /// The word numbers what stands in all chapters, or no part of a book.
  static func isSmall(_ word: String) -> Bool { small.contains(word) }

  private static func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

  private static let levels: [String: Int] = {
    var levels: [String: Int] = [:]
    for word in words(chapters) { levels[word] = 1 }
    for word in words(volumes) { levels[word] = 0 }
    for word in appendices { levels[word] = 1 }
    return levels
  }()

  /// Germanic, Romance, Slavonic, Baltic, Uralic and other languages, a line each.
  private static let chapters = """
    chapter section scene canto stave letter kapitel kapitlet kapittel hoofdstuk hoofstuk kafli szene auftritt
    chapitre capítulo capítol capitolo capitol capitolul cap. chap. kap. caput capitulum scène escena scena
    глава hlava glava раздел розділ раздзел поглавље поглавје rozdział kapitola oddíl poglavje poglavlje
    skyrius nodaļa peatükk luku fejezet
    κεφάλαιο κεφάλαιον bölüm bab chương hồi kabanata kapitulua kapitulli kapitullu ĉapitro caibidil pennod sura
    장 화 회 막 절 章 話 话 回 节 節 فصل الفصل الباب פרק अध्याय თავი գլուխ บทที่
    """
  private static let volumes = """
    part book volume vol. act teil buch band aufzug akt deel boek del delen bok bind bog boken boka hluti bók
    partie livre tome acte parte libro tomo acto atto livro part llibre partea cartea volumul volumen liber pars
    часть том книга частина частка част дел део том część tom księga část díl kniha časť diel dio del
    dalis knyga daļa grāmata osa raamat osa kirja kötet rész
    μέρος βιβλίο βιβλίον τόμος kısım kisim cilt kitap bagian buku jilid phần quyển aklat bahagi
    부 권 편 卷 巻 部 بخش جلد
    """
  private static let appendices = Set(
    words(
      """
      appendix appendiks anhang bijlage bylae bilaga tillæg vedlegg viðauki
      dodatok tillegg apendico eranskina annexe annex anexo apéndice apêndice appendice apèndix apendix anexa annexa
      приложение додаток дадатак прилог załącznik dodatek příloha príloha dodatak prilog priloga
      priedas pielikums liite függelék melléklet
      παράρτημα ek lampiran
      ملحق נספח
      """) + ["phụ lục"])
  /// Tables, figures, examples, steps, pages, notes, without the stop of short forms.
  private static let small = Set(
    words(
      """
      table tabelle tabel tabell tabela tabla tabella taula tableau tabulka tabuľka tabelul lentelė tabula taulukko
      táblázat таблица таблиця табліца табела πίνακας tablo bảng tabella jadual tafla taulu
      figure fig figura abbildung abb afbeelding figuur figur rysunek obrázek obrázok slika paveikslas attēls joonis
      kuva ábra рисунок рис малюнок фигура εικόνα σχήμα şekil hình gambar rajah mynd
      example exemple beispiel voorbeeld eksempel exempel ejemplo esempio exemplo exemplu przykład příklad príklad
      primer primjer pavyzdys piemērs näide esimerkki példa пример приклад παράδειγμα örnek ví contoh dæmi
      listing equation formula theorem lemma proof definition remark exercise question problem answer case
      step schritt stap steg paso passo pas étape krok korak шаг крок βήμα adım bước langkah
      note anmerkung noot footnote
      page pages pag seite página pàgina pagina sida side strona strana stran stranica страница стр sivu oldal σελίδα
      sayfa trang halaman
      version release revision revisão versión versione verzia verze wersja версия build
      january february march april may june july august september october november december
      """))
}

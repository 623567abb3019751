/// The encodings that can be decoded, and the labels that texts name them by.
package enum EncodingLabels {
  /// An encoding under its name in the Encoding Standard, which has most of them, or in IANA's registry.
  struct Entry: Sendable {
    var name: String
    /// ICU's name for its decoder.
    var converter: String
    /// In lower case, separated by spaces, without the name.
    var labels: StaticString

    init(_ name: String, _ converter: String? = nil, _ labels: StaticString) {
      self.name = name
      self.converter = converter ?? name
      self.labels = labels
    }
  }

  /// The names of all encodings.
  package static let names = entries.map(\.name)

  /// The name of the encoding that a label stands for (Encoding Standard, section 4.2); nil where nothing is known by it.
  package static func name(for label: String) -> String? { entry(for: label)?.name }

  static func entry(for label: String) -> Entry? {
    // Fast path: nearly all documents say this, and need no table of labels.
    if isUTF8(label) { return utf8 }
    return byLabel[String(label.lowercased().drop(while: isAround).reversed().drop(while: isAround).reversed())]
  }

  private static func isUTF8(_ label: String) -> Bool {
    label.utf8.count == 5 && zip(label.utf8, "utf-8".utf8).allSatisfy { ASCII.lowercase($0) == $1 }
  }

  private static func isAround(_ character: Character) -> Bool {
    character.isWhitespace || character == "\"" || character == "'" || character == ";"
  }

  private static let byLabel: [String: Entry] = {
    var result: [String: Entry] = [:]
    for entry in entries {
      result[entry.name.lowercased()] = entry
      result[entry.converter.lowercased()] = entry
      for label in entry.labels.description.split(separator: " ") { result[String(label)] = entry }
    }
    return result
  }()

  private static let utf8 = Entry(
    "UTF-8", nil, "utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 65001 cp65001")

  /// ISO 8859-1, US-ASCII, ISO 8859-9 and TIS-620 are parts of the code pages that stand for them; GB 2312 and GBK of GB 18030.
  /// What the standard refuses for the sake of pages on the Web (ISO-2022-KR, HZ) is decoded.
  static let entries = [
    utf8,
    Entry(
      "UTF-16LE", nil, "utf-16 utf16 utf16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff"),
    Entry("UTF-16BE", nil, "utf16be unicodefffe"),
    Entry("UTF-32LE", nil, "utf-32 utf32 utf32le ucs-4"),
    Entry("UTF-32BE", nil, "utf32be"),
    Entry(
      "windows-1252", nil,
      """
      ansi_x3.4-1968 ansi ascii cp1252 1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso8859_1 iso88591 \
      iso_8859-1 iso_8859-1:1987 l1 latin1 latin-1 us-ascii x-cp1252
      """),
    Entry("windows-1250", nil, "cp1250 1250 x-cp1250"),
    Entry("windows-1251", nil, "cp1251 1251 win-1251 x-cp1251"),
    Entry("windows-1253", nil, "cp1253 1253 x-cp1253"),
    Entry(
      "windows-1254", nil,
      """
      cp1254 1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso8859_9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
      latin-5 x-cp1254
      """),
    Entry("windows-1255", nil, "cp1255 1255 x-cp1255"),
    Entry("windows-1256", nil, "cp1256 1256 x-cp1256"),
    Entry("windows-1257", nil, "cp1257 1257 x-cp1257"),
    Entry("windows-1258", nil, "cp1258 1258 x-cp1258"),
    Entry(
      "windows-874", nil, "dos-874 cp874 874 iso-8859-11 iso8859-11 iso8859_11 iso885911 tis-620 tis620"),
    Entry(
      "ISO-8859-2", nil,
      "csisolatin2 iso-ir-101 iso8859-2 iso8859_2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2 latin-2"),
    Entry(
      "ISO-8859-3", nil, "csisolatin3 iso-ir-109 iso8859-3 iso8859_3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"),
    Entry(
      "ISO-8859-4", nil, "csisolatin4 iso-ir-110 iso8859-4 iso8859_4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"),
    Entry(
      "ISO-8859-5", nil,
      "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso8859_5 iso88595 iso_8859-5 iso_8859-5:1988"),
    Entry(
      "ISO-8859-6", nil,
      """
      arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 \
      iso8859_6 iso88596 iso_8859-6 iso_8859-6:1987
      """),
    Entry(
      "ISO-8859-7", nil,
      """
      csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso8859_7 iso88597 iso_8859-7 iso_8859-7:1987 \
      sun_eu_greek
      """),
    Entry(
      "ISO-8859-8", nil,
      """
      csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8-e iso-8859-8-i iso-ir-138 iso8859-8 iso8859_8 iso88598 \
      iso_8859-8 iso_8859-8:1988 logical visual
      """),
    Entry("ISO-8859-10", nil, "csisolatin6 iso-ir-157 iso8859-10 iso8859_10 iso885910 l6 latin6"),
    Entry("ISO-8859-13", nil, "iso8859-13 iso8859_13 iso885913"),
    Entry("ISO-8859-14", nil, "iso8859-14 iso8859_14 iso885914"),
    Entry("ISO-8859-15", nil, "csisolatin9 iso8859-15 iso8859_15 iso885915 iso_8859-15 l9 latin9 latin-9"),
    Entry("ISO-8859-16", nil, "iso8859-16 iso8859_16 iso885916 latin10"),
    Entry("KOI8-R", nil, "cskoi8r koi koi8 koi8_r"),
    Entry("KOI8-U", nil, "koi8-ru koi8_u"),
    Entry("macintosh", nil, "csmacintosh mac x-mac-roman macroman mac-roman"),
    Entry("x-mac-cyrillic", nil, "x-mac-ukrainian mac-cyrillic maccyrillic"),
    Entry("x-mac-ce", "x-mac-centraleurroman", "mac-ce macce mac-centraleurope"),
    Entry("x-mac-greek", nil, "mac-greek macgreek"),
    Entry("x-mac-turkish", nil, "mac-turkish macturkish"),
    Entry("IBM437", nil, "cp437 437 cspc8codepage437"),
    Entry("IBM720", "windows-720", "cp720 720 dos-720"),
    Entry("IBM737", "windows-737", "cp737 737"),
    Entry("IBM775", nil, "cp775 775"),
    Entry("IBM850", nil, "cp850 850"),
    Entry("IBM852", nil, "cp852 852"),
    Entry("IBM855", nil, "cp855 855"),
    Entry("IBM857", nil, "cp857 857"),
    Entry("IBM862", nil, "cp862 862 dos-862"),
    Entry("IBM866", nil, "cp866 866 csibm866 dos-866"),
    Entry(
      "gb18030", nil,
      """
      chinese cp936 936 csgb2312 csiso58gb231280 euc-cn gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 ms936 windows-936 x-gbk \
      windows-54936
      """),
    Entry("Big5", "Big5-HKSCS", "big-5 cn-big5 cp950 950 csbig5 ms950 windows-950 x-x-big5"),
    Entry("Shift_JIS", "windows-31j", "shift-jis sjis x-sjis ms_kanji csshiftjis cp932 932 ms932 windows-932"),
    Entry("EUC-JP", nil, "cseucpkdfmtjapanese x-euc-jp eucjp euc_jp"),
    Entry("ISO-2022-JP", nil, "csiso2022jp iso2022jp iso-2022-jp-1 iso-2022-jp-2 jis jis7"),
    Entry(
      "EUC-KR", "windows-949",
      """
      cseuckr csksc56011987 euckr euc_kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 cp949 949 uhc \
      ms949
      """),
    Entry("ISO-2022-KR", nil, "csiso2022kr iso2022kr"),
    Entry("ISO-2022-CN", nil, "iso-2022-cn-ext iso2022cn"),
    Entry("HZ-GB-2312", "HZ", "hz-gb2312"),
  ]
}

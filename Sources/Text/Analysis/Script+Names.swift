// Scripts of Unicode 15.0.0, written by Scripts/unicode-tables.py.

extension Script {
  @inlinable public static var common: Self { Self(rawValue: 0) }
  @inlinable public static var inherited: Self { Self(rawValue: 1) }
  @inlinable public static var adlam: Self { Self(rawValue: 2) }
  @inlinable public static var caucasianAlbanian: Self { Self(rawValue: 3) }
  @inlinable public static var ahom: Self { Self(rawValue: 4) }
  @inlinable public static var arabic: Self { Self(rawValue: 5) }
  @inlinable public static var imperialAramaic: Self { Self(rawValue: 6) }
  @inlinable public static var armenian: Self { Self(rawValue: 7) }
  @inlinable public static var avestan: Self { Self(rawValue: 8) }
  @inlinable public static var balinese: Self { Self(rawValue: 9) }
  @inlinable public static var bamum: Self { Self(rawValue: 10) }
  @inlinable public static var bassaVah: Self { Self(rawValue: 11) }
  @inlinable public static var batak: Self { Self(rawValue: 12) }
  @inlinable public static var bengali: Self { Self(rawValue: 13) }
  @inlinable public static var bhaiksuki: Self { Self(rawValue: 14) }
  @inlinable public static var bopomofo: Self { Self(rawValue: 15) }
  @inlinable public static var brahmi: Self { Self(rawValue: 16) }
  @inlinable public static var braille: Self { Self(rawValue: 17) }
  @inlinable public static var buginese: Self { Self(rawValue: 18) }
  @inlinable public static var buhid: Self { Self(rawValue: 19) }
  @inlinable public static var chakma: Self { Self(rawValue: 20) }
  @inlinable public static var canadianAboriginal: Self { Self(rawValue: 21) }
  @inlinable public static var carian: Self { Self(rawValue: 22) }
  @inlinable public static var cham: Self { Self(rawValue: 23) }
  @inlinable public static var cherokee: Self { Self(rawValue: 24) }
  @inlinable public static var chorasmian: Self { Self(rawValue: 25) }
  @inlinable public static var coptic: Self { Self(rawValue: 26) }
  @inlinable public static var cyproMinoan: Self { Self(rawValue: 27) }
  @inlinable public static var cypriot: Self { Self(rawValue: 28) }
  @inlinable public static var cyrillic: Self { Self(rawValue: 29) }
  @inlinable public static var devanagari: Self { Self(rawValue: 30) }
  @inlinable public static var divesAkuru: Self { Self(rawValue: 31) }
  @inlinable public static var dogra: Self { Self(rawValue: 32) }
  @inlinable public static var deseret: Self { Self(rawValue: 33) }
  @inlinable public static var duployan: Self { Self(rawValue: 34) }
  @inlinable public static var egyptianHieroglyphs: Self { Self(rawValue: 35) }
  @inlinable public static var elbasan: Self { Self(rawValue: 36) }
  @inlinable public static var elymaic: Self { Self(rawValue: 37) }
  @inlinable public static var ethiopic: Self { Self(rawValue: 38) }
  @inlinable public static var georgian: Self { Self(rawValue: 39) }
  @inlinable public static var glagolitic: Self { Self(rawValue: 40) }
  @inlinable public static var gunjalaGondi: Self { Self(rawValue: 41) }
  @inlinable public static var masaramGondi: Self { Self(rawValue: 42) }
  @inlinable public static var gothic: Self { Self(rawValue: 43) }
  @inlinable public static var grantha: Self { Self(rawValue: 44) }
  @inlinable public static var greek: Self { Self(rawValue: 45) }
  @inlinable public static var gujarati: Self { Self(rawValue: 46) }
  @inlinable public static var gurmukhi: Self { Self(rawValue: 47) }
  @inlinable public static var hangul: Self { Self(rawValue: 48) }
  @inlinable public static var han: Self { Self(rawValue: 49) }
  @inlinable public static var hanunoo: Self { Self(rawValue: 50) }
  @inlinable public static var hatran: Self { Self(rawValue: 51) }
  @inlinable public static var hebrew: Self { Self(rawValue: 52) }
  @inlinable public static var hiragana: Self { Self(rawValue: 53) }
  @inlinable public static var anatolianHieroglyphs: Self { Self(rawValue: 54) }
  @inlinable public static var pahawhHmong: Self { Self(rawValue: 55) }
  @inlinable public static var nyiakengPuachueHmong: Self { Self(rawValue: 56) }
  @inlinable public static var oldHungarian: Self { Self(rawValue: 57) }
  @inlinable public static var oldItalic: Self { Self(rawValue: 58) }
  @inlinable public static var javanese: Self { Self(rawValue: 59) }
  @inlinable public static var kayahLi: Self { Self(rawValue: 60) }
  @inlinable public static var katakana: Self { Self(rawValue: 61) }
  @inlinable public static var kawi: Self { Self(rawValue: 62) }
  @inlinable public static var kharoshthi: Self { Self(rawValue: 63) }
  @inlinable public static var khmer: Self { Self(rawValue: 64) }
  @inlinable public static var khojki: Self { Self(rawValue: 65) }
  @inlinable public static var khitanSmallScript: Self { Self(rawValue: 66) }
  @inlinable public static var kannada: Self { Self(rawValue: 67) }
  @inlinable public static var kaithi: Self { Self(rawValue: 68) }
  @inlinable public static var taiTham: Self { Self(rawValue: 69) }
  @inlinable public static var lao: Self { Self(rawValue: 70) }
  @inlinable public static var latin: Self { Self(rawValue: 71) }
  @inlinable public static var lepcha: Self { Self(rawValue: 72) }
  @inlinable public static var limbu: Self { Self(rawValue: 73) }
  @inlinable public static var linearA: Self { Self(rawValue: 74) }
  @inlinable public static var linearB: Self { Self(rawValue: 75) }
  @inlinable public static var lisu: Self { Self(rawValue: 76) }
  @inlinable public static var lycian: Self { Self(rawValue: 77) }
  @inlinable public static var lydian: Self { Self(rawValue: 78) }
  @inlinable public static var mahajani: Self { Self(rawValue: 79) }
  @inlinable public static var makasar: Self { Self(rawValue: 80) }
  @inlinable public static var mandaic: Self { Self(rawValue: 81) }
  @inlinable public static var manichaean: Self { Self(rawValue: 82) }
  @inlinable public static var marchen: Self { Self(rawValue: 83) }
  @inlinable public static var medefaidrin: Self { Self(rawValue: 84) }
  @inlinable public static var mendeKikakui: Self { Self(rawValue: 85) }
  @inlinable public static var meroiticCursive: Self { Self(rawValue: 86) }
  @inlinable public static var meroiticHieroglyphs: Self { Self(rawValue: 87) }
  @inlinable public static var malayalam: Self { Self(rawValue: 88) }
  @inlinable public static var modi: Self { Self(rawValue: 89) }
  @inlinable public static var mongolian: Self { Self(rawValue: 90) }
  @inlinable public static var mro: Self { Self(rawValue: 91) }
  @inlinable public static var meeteiMayek: Self { Self(rawValue: 92) }
  @inlinable public static var multani: Self { Self(rawValue: 93) }
  @inlinable public static var myanmar: Self { Self(rawValue: 94) }
  @inlinable public static var nagMundari: Self { Self(rawValue: 95) }
  @inlinable public static var nandinagari: Self { Self(rawValue: 96) }
  @inlinable public static var oldNorthArabian: Self { Self(rawValue: 97) }
  @inlinable public static var nabataean: Self { Self(rawValue: 98) }
  @inlinable public static var newa: Self { Self(rawValue: 99) }
  @inlinable public static var nko: Self { Self(rawValue: 100) }
  @inlinable public static var nushu: Self { Self(rawValue: 101) }
  @inlinable public static var ogham: Self { Self(rawValue: 102) }
  @inlinable public static var olChiki: Self { Self(rawValue: 103) }
  @inlinable public static var oldTurkic: Self { Self(rawValue: 104) }
  @inlinable public static var oriya: Self { Self(rawValue: 105) }
  @inlinable public static var osage: Self { Self(rawValue: 106) }
  @inlinable public static var osmanya: Self { Self(rawValue: 107) }
  @inlinable public static var oldUyghur: Self { Self(rawValue: 108) }
  @inlinable public static var palmyrene: Self { Self(rawValue: 109) }
  @inlinable public static var pauCinHau: Self { Self(rawValue: 110) }
  @inlinable public static var oldPermic: Self { Self(rawValue: 111) }
  @inlinable public static var phagsPa: Self { Self(rawValue: 112) }
  @inlinable public static var inscriptionalPahlavi: Self { Self(rawValue: 113) }
  @inlinable public static var psalterPahlavi: Self { Self(rawValue: 114) }
  @inlinable public static var phoenician: Self { Self(rawValue: 115) }
  @inlinable public static var miao: Self { Self(rawValue: 116) }
  @inlinable public static var inscriptionalParthian: Self { Self(rawValue: 117) }
  @inlinable public static var rejang: Self { Self(rawValue: 118) }
  @inlinable public static var hanifiRohingya: Self { Self(rawValue: 119) }
  @inlinable public static var runic: Self { Self(rawValue: 120) }
  @inlinable public static var samaritan: Self { Self(rawValue: 121) }
  @inlinable public static var oldSouthArabian: Self { Self(rawValue: 122) }
  @inlinable public static var saurashtra: Self { Self(rawValue: 123) }
  @inlinable public static var signWriting: Self { Self(rawValue: 124) }
  @inlinable public static var shavian: Self { Self(rawValue: 125) }
  @inlinable public static var sharada: Self { Self(rawValue: 126) }
  @inlinable public static var siddham: Self { Self(rawValue: 127) }
  @inlinable public static var khudawadi: Self { Self(rawValue: 128) }
  @inlinable public static var sinhala: Self { Self(rawValue: 129) }
  @inlinable public static var sogdian: Self { Self(rawValue: 130) }
  @inlinable public static var oldSogdian: Self { Self(rawValue: 131) }
  @inlinable public static var soraSompeng: Self { Self(rawValue: 132) }
  @inlinable public static var soyombo: Self { Self(rawValue: 133) }
  @inlinable public static var sundanese: Self { Self(rawValue: 134) }
  @inlinable public static var sylotiNagri: Self { Self(rawValue: 135) }
  @inlinable public static var syriac: Self { Self(rawValue: 136) }
  @inlinable public static var tagbanwa: Self { Self(rawValue: 137) }
  @inlinable public static var takri: Self { Self(rawValue: 138) }
  @inlinable public static var taiLe: Self { Self(rawValue: 139) }
  @inlinable public static var newTaiLue: Self { Self(rawValue: 140) }
  @inlinable public static var tamil: Self { Self(rawValue: 141) }
  @inlinable public static var tangut: Self { Self(rawValue: 142) }
  @inlinable public static var taiViet: Self { Self(rawValue: 143) }
  @inlinable public static var telugu: Self { Self(rawValue: 144) }
  @inlinable public static var tifinagh: Self { Self(rawValue: 145) }
  @inlinable public static var tagalog: Self { Self(rawValue: 146) }
  @inlinable public static var thaana: Self { Self(rawValue: 147) }
  @inlinable public static var thai: Self { Self(rawValue: 148) }
  @inlinable public static var tibetan: Self { Self(rawValue: 149) }
  @inlinable public static var tirhuta: Self { Self(rawValue: 150) }
  @inlinable public static var tangsa: Self { Self(rawValue: 151) }
  @inlinable public static var toto: Self { Self(rawValue: 152) }
  @inlinable public static var ugaritic: Self { Self(rawValue: 153) }
  @inlinable public static var vai: Self { Self(rawValue: 154) }
  @inlinable public static var vithkuqi: Self { Self(rawValue: 155) }
  @inlinable public static var warangCiti: Self { Self(rawValue: 156) }
  @inlinable public static var wancho: Self { Self(rawValue: 157) }
  @inlinable public static var oldPersian: Self { Self(rawValue: 158) }
  @inlinable public static var cuneiform: Self { Self(rawValue: 159) }
  @inlinable public static var yezidi: Self { Self(rawValue: 160) }
  @inlinable public static var yi: Self { Self(rawValue: 161) }
  @inlinable public static var zanabazarSquare: Self { Self(rawValue: 162) }
  @inlinable public static var unknown: Self { Self(rawValue: 163) }

  /// The name that Unicode gives the script, with blanks for its underscores.
  public var name: String { Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "Unknown" }

  private static let names = [
    "Common", "Inherited", "Adlam", "Caucasian Albanian", "Ahom", "Arabic",
    "Imperial Aramaic", "Armenian", "Avestan", "Balinese", "Bamum", "Bassa Vah",
    "Batak", "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille",
    "Buginese", "Buhid", "Chakma", "Canadian Aboriginal", "Carian", "Cham",
    "Cherokee", "Chorasmian", "Coptic", "Cypro Minoan", "Cypriot", "Cyrillic",
    "Devanagari", "Dives Akuru", "Dogra", "Deseret", "Duployan", "Egyptian Hieroglyphs",
    "Elbasan", "Elymaic", "Ethiopic", "Georgian", "Glagolitic", "Gunjala Gondi",
    "Masaram Gondi", "Gothic", "Grantha", "Greek", "Gujarati", "Gurmukhi",
    "Hangul", "Han", "Hanunoo", "Hatran", "Hebrew", "Hiragana",
    "Anatolian Hieroglyphs", "Pahawh Hmong", "Nyiakeng Puachue Hmong", "Old Hungarian", "Old Italic", "Javanese",
    "Kayah Li", "Katakana", "Kawi", "Kharoshthi", "Khmer", "Khojki",
    "Khitan Small Script", "Kannada", "Kaithi", "Tai Tham", "Lao", "Latin",
    "Lepcha", "Limbu", "Linear A", "Linear B", "Lisu", "Lycian",
    "Lydian", "Mahajani", "Makasar", "Mandaic", "Manichaean", "Marchen",
    "Medefaidrin", "Mende Kikakui", "Meroitic Cursive", "Meroitic Hieroglyphs", "Malayalam", "Modi",
    "Mongolian", "Mro", "Meetei Mayek", "Multani", "Myanmar", "Nag Mundari",
    "Nandinagari", "Old North Arabian", "Nabataean", "Newa", "Nko", "Nushu",
    "Ogham", "Ol Chiki", "Old Turkic", "Oriya", "Osage", "Osmanya",
    "Old Uyghur", "Palmyrene", "Pau Cin Hau", "Old Permic", "Phags Pa", "Inscriptional Pahlavi",
    "Psalter Pahlavi", "Phoenician", "Miao", "Inscriptional Parthian", "Rejang", "Hanifi Rohingya",
    "Runic", "Samaritan", "Old South Arabian", "Saurashtra", "SignWriting", "Shavian",
    "Sharada", "Siddham", "Khudawadi", "Sinhala", "Sogdian", "Old Sogdian",
    "Sora Sompeng", "Soyombo", "Sundanese", "Syloti Nagri", "Syriac", "Tagbanwa",
    "Takri", "Tai Le", "New Tai Lue", "Tamil", "Tangut", "Tai Viet",
    "Telugu", "Tifinagh", "Tagalog", "Thaana", "Thai", "Tibetan",
    "Tirhuta", "Tangsa", "Toto", "Ugaritic", "Vai", "Vithkuqi",
    "Warang Citi", "Wancho", "Old Persian", "Cuneiform", "Yezidi", "Yi",
    "Zanabazar Square", "Unknown",
  ]
}

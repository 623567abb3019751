import Platform
import Primitives

/// The regional form of Han, of five, that a run is to be set in.
enum HanRegion: String {
  case simplified = "SC"
  case traditional = "TC"
  case hongKong = "HK"
  case japanese = "JP"
  case korean = "KR"

  /// By the language's primary, script and region subtags (BCP 47), then by the script of the run; Simplified otherwise.
  init(language: String?, script: String) {
    let parts = (language ?? "").lowercased().split { $0 == "-" || $0 == "_" }
    let rest = parts.dropFirst()
    switch parts.first {
    case "ja", "ain", "ryu": self = .japanese
    case "ko": self = .korean
    case "yue": self = .hongKong
    case "zh", "cmn", "nan", "hak", "wuu", "lzh", "gan", "hsn":
      if rest.contains("hk") || rest.contains("mo") {
        self = .hongKong
      } else if rest.contains("tw") || rest.contains("hant") {
        self = .traditional
      } else {
        self = .simplified
      }
    default:
      switch script {
      case "Hira", "Kana", "Jpan": self = .japanese
      case "Hang", "Kore": self = .korean
      case "Bopo": self = .traditional
      default: self = .simplified
      }
    }
  }

  /// Text in the language is set in Han, Kana or Hangul.
  static func isCJK(language: String?) -> Bool {
    let primary = (language ?? "").lowercased().prefix { $0 != "-" && $0 != "_" }
    return ["zh", "cmn", "yue", "nan", "hak", "wuu", "lzh", "gan", "hsn", "ja", "ain", "ryu", "ko"].contains(primary)
  }
}

/// The default families and the fallback chain of a generic family.
enum FontFamilies {
  /// The families that stand for a generic one, best first (CSS Fonts 4, section 2.1.2).
  static func defaults(for generic: GenericFamily, language: String?) -> [String] {
    let region = HanRegion(language: language, script: "").rawValue
    return switch generic {
    case .serif, .cursive, .fantasy:
      (generic == .cursive && HanRegion.isCJK(language: language) ? ["LXGW WenKai"] : [])
        + ["Linux Libertine O", "Noto Serif", "Liberation Serif", "DejaVu Serif"]
    case .sansSerif, .systemUI: ["Linux Biolinum O", "Noto Sans", "Liberation Sans", "DejaVu Sans"]
    case .monospace: ["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "JetBrains Mono"]
    case .math:
      [
        "TeX Gyre Termes Math", "TeX Gyre Pagella Math", "Latin Modern Math", "STIX Math", "Noto Sans Math",
        "DejaVu Math TeX Gyre",
      ]
    case .emoji: ["Noto Color Emoji"]
    case .fangsong: ["FangSong", "Noto Serif CJK \(region)"]
    }
  }

  /// The families to look through for a character that the cascade lacks, best first.
  static func fallback(for generic: GenericFamily, language: String?, script: String) -> [String] {
    let region = HanRegion(language: language, script: script).rawValue
    let serif = [.serif, .cursive, .fantasy, .fangsong, .math].contains(generic)
    var han = serif ? ["Noto Serif CJK", "Noto Sans CJK"] : ["Noto Sans CJK", "Noto Serif CJK"]
    if generic == .monospace { han.insert("Noto Sans Mono CJK", at: 0) }
    han = han.map { "\($0) \(region)" }
    if generic == .cursive { han.insert("LXGW WenKai", at: 0) }
    let latin =
      generic == .monospace
      ? ["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Noto Sans", "DejaVu Sans"]
      : serif
        ? ["Linux Libertine O", "Noto Serif", "Liberation Serif", "Noto Sans", "DejaVu Serif", "Gentium Plus"]
        : ["Linux Biolinum O", "Noto Sans", "Liberation Sans", "DejaVu Sans", "Noto Serif"]
    var own: [String] = []
    if let name = scriptNames[script] {
      let kinds = serif ? ["Noto Serif", "Noto Sans"] : ["Noto Sans", "Noto Serif"]
      if script == "Arab" {
        let primary = (language ?? "").lowercased().prefix { $0 != "-" && $0 != "_" }
        let urdu = primary == "ur" || primary == "ks"
        own = urdu ? ["Noto Nastaliq Urdu", "Noto Naskh Arabic"] : ["Noto Naskh Arabic", "Noto Sans Arabic"]
        if !serif, !urdu { own = ["Noto Sans Arabic", "Noto Naskh Arabic"] }
      } else {
        own = kinds.map { "\($0) \(name)" }
      }
    }
    let symbols = ["Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans Symbols 2", "Noto Sans Math"]
    let last = ["Noto Color Emoji", "DejaVu Sans", "DejaVu Serif"]
    let isHan = ["Hani", "Hira", "Kana", "Hang", "Bopo", "Jpan", "Kore", "Hans", "Hant"].contains(script)
    if isHan || HanRegion.isCJK(language: language) && (script == "Zyyy" || script == "Zinh" || script.isEmpty) {
      return han + own + latin + symbols + ["LXGW WenKai"] + last
    }
    return own + latin + symbols + han + last
  }

  /// The part of a Noto family's name that names a script, by ISO 15924 code.
  private static let scriptNames: [String: String] = [
    "Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Cans": "Canadian Aboriginal", "Cher": "Cherokee",
    "Copt": "Coptic", "Deva": "Devanagari", "Dsrt": "Deseret", "Egyp": "Egyptian Hieroglyphs", "Ethi": "Ethiopic",
    "Geor": "Georgian", "Glag": "Glagolitic", "Goth": "Gothic", "Gujr": "Gujarati", "Guru": "Gurmukhi",
    "Hebr": "Hebrew", "Java": "Javanese", "Khmr": "Khmer", "Knda": "Kannada", "Laoo": "Lao", "Mlym": "Malayalam",
    "Mong": "Mongolian", "Mymr": "Myanmar", "Nkoo": "NKo", "Ogam": "Ogham", "Olck": "Ol Chiki", "Orya": "Oriya",
    "Runr": "Runic", "Sinh": "Sinhala", "Sund": "Sundanese", "Syrc": "Syriac", "Taml": "Tamil", "Telu": "Telugu",
    "Tfng": "Tifinagh", "Thaa": "Thaana", "Thai": "Thai", "Tibt": "Tibetan", "Vaii": "Vai", "Xsux": "Cuneiform",
    "Yiii": "Yi", "Bali": "Balinese", "Tale": "Tai Le", "Talu": "New Tai Lue", "Lana": "Tai Tham", "Limb": "Limbu",
    "Mtei": "Meetei Mayek", "Phag": "Phags Pa", "Samr": "Samaritan", "Cham": "Cham", "Bugi": "Buginese",
  ]

  /// Faces in the hand of the brush, best first. Their marks are those of Simplified text.
  private static let kai = ["LXGW WenKai", "AR PL UKai CN"]

  /// The family of stops that Traditional text takes where its own has them in the corner of the em, as Simplified text has them, and
  /// not in its middle (Requirements for Chinese Text Layout, section 3.1.2); nil where its own are right.
  static func marks(besides family: String, language: String?) -> String? {
    let region = HanRegion(language: language, script: "")
    guard region == .traditional || region == .hongKong, kai.contains(family) else {
      return nil
    }
    return "Noto Serif CJK \(region.rawValue)"
  }

  /// Commas, full stops, colons, semicolons, exclamation and question marks of full width.
  static let stops: [ClosedRange<UInt32>] = [
    0x3001...0x3002, 0xFF01...0xFF01, 0xFF0C...0xFF0C, 0xFF0E...0xFF0E, 0xFF1A...0xFF1B, 0xFF1F...0xFF1F,
  ]

  /// Free faces for families that books name and machines lack, by folded name.
  static func aliases(of family: String, language: String?) -> [String] {
    let region = HanRegion(language: language, script: "")
    let barred = "|\(family)|"
    let named = hanAliases.first { holds($0.names, barred) }.map { (voice: $0.voice, region: Optional($0.region)) }
    if let han = named ?? hanStyle(of: family) {
      let fixed = han.region?.rawValue ?? region.rawValue
      return switch han.voice {
      case .serif: ["Noto Serif CJK \(fixed)"]
      case .sans: ["Noto Sans CJK \(fixed)"]
      case .kai: kai + ["Noto Serif CJK \(fixed)"]
      }
    }
    return latinAliases.first { holds($0.names, barred) }?.families ?? []
  }

  /// The style that the name of a Chinese, Japanese or Korean family tells, for the many that foundries sell.
  private static func hanStyle(of family: String) -> (voice: Voice, region: HanRegion?)? {
    hanStyles.first { holds(family, $0.part) }.map { ($0.voice, $0.region) }
  }

  // The search of the standard library prepares a table for each part first, and a dictionary of names takes longer to fill than
  // all names of a book to find.
  private static func holds(_ text: StaticString, _ part: String) -> Bool {
    text.withUTF8Buffer { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        unsafe part.withCString { unsafe strstr(text.baseAddress.unsafelyUnwrapped, $0) != nil }
      }
    }
  }
  private static func holds(_ text: String, _ part: StaticString) -> Bool {
    part.withUTF8Buffer { part in
      unsafe part.withMemoryRebound(to: CChar.self) { part in
        unsafe text.withCString { unsafe strstr($0, part.baseAddress.unsafelyUnwrapped) != nil }
      }
    }
  }

  /// Parts of names and what they tell; the first that is found holds.
  private static let hanStyles: [(part: StaticString, voice: Voice, region: HanRegion?)] = [
    ("楷", .kai, nil), ("kaiti", .kai, nil), ("kaisho", .kai, nil),
    ("明朝", .serif, .japanese), ("ﾐﾝﾁｮｳ", .serif, .japanese), ("mincho", .serif, .japanese),
    ("ゴシック", .sans, .japanese), ("ｺﾞｼｯｸ", .sans, .japanese), ("ヒラギノ角", .sans, .japanese),
    ("바탕", .serif, .korean), ("명조", .serif, .korean), ("myeongjo", .serif, .korean), ("myungjo", .serif, .korean),
    ("고딕", .sans, .korean), ("돋움", .sans, .korean), ("굴림", .sans, .korean),
    ("黑", .sans, nil), ("圆", .sans, nil), ("圓", .sans, nil), ("heiti", .sans, nil), ("yahei", .sans, nil),
    ("jhenghei", .sans, nil),
    ("宋", .serif, nil), ("明體", .serif, nil), ("明体", .serif, nil), ("songti", .serif, nil), ("fangsong", .serif, nil),
    ("mingliu", .serif, nil),
  ]

  private enum Voice { case serif, sans, kai }

  /// Names of families between bars, in lower case, and the style that they tell.
  private static let hanAliases: [(voice: Voice, region: HanRegion, names: StaticString)] = [
    (
      .serif, .simplified,
      """
      |宋体|simsun|nsimsun|新宋体|stsong|华文宋体|songti sc|songti|song|宋體|source han serif|\
      source han serif sc|source han serif cn|思源宋体|noto serif sc|仿宋|fangsong|fangsong_gb2312|\
      stfangsong|华文仿宋|fs|cnepub|zw|方正书宋|fzshusong|simsun-extb|stzhongsong|华文中宋|方正仿宋|\
      mying hei s|msung|dk-songti|dk-fangsong|
      """
    ),
    (
      .sans, .simplified,
      """
      |黑体|simhei|stheiti|stxihei|华文黑体|华文细黑|heiti sc|heiti|hei|pingfang sc|microsoft yahei|\
      微软雅黑|source han sans|source han sans sc|source han sans cn|思源黑体|noto sans sc|\
      hiragino sans gb|方正黑体|wenquanyi micro hei|wenquanyi zen hei|dk-heiti|ht|幼圆|youyuan|
      """
    ),
    (
      .kai, .simplified,
      """
      |楷体|kaiti|kaiti_gb2312|stkaiti|华文楷体|kaiti sc|kai|mkai prc|dk-kaiti|方正楷体|kt|ar pl ukai cn|\
      隶书|lisu|stxingkai|华文行楷|dk-xiaobiaosong|
      """
    ),
    (
      .kai, .traditional,
      """
      |標楷體|dfkai-sb|biaukai|kaiti tc|楷體|
      """
    ),
    (
      .serif, .traditional,
      """
      |pmingliu|mingliu|新細明體|細明體|songti tc|lisong pro|source han serif tc|noto serif tc|\
      apple lisung|
      """
    ),
    (
      .sans, .traditional,
      """
      |pingfang tc|heiti tc|microsoft jhenghei|微軟正黑體|lihei pro|source han sans tc|noto sans tc|\
      apple ligothic|
      """
    ),
    (
      .serif, .hongKong,
      """
      |mingliu_hkscs|noto serif hk|
      """
    ),
    (
      .sans, .hongKong,
      """
      |pingfang hk|noto sans hk|
      """
    ),
    (
      .serif, .japanese,
      """
      |ms mincho|ms pmincho|ｍｓ 明朝|ｍｓ ｐ明朝|hiragino mincho|hiragino mincho pro|hiragino mincho pron|\
      hiraminpron-w3|hiraminpro-w3|ヒラギノ明朝 pro w3|ヒラギノ明朝 pron w3|yu mincho|yumincho|游明朝|\
      游明朝体|serif-ja|serif-ja-v|source han serif jp|noto serif jp|ipamincho|ipaexmincho|takaomincho|\
      kozuka mincho pro|@serif-ja|
      """
    ),
    (
      .sans, .japanese,
      """
      |ms gothic|ms pgothic|ｍｓ ゴシック|ｍｓ ｐゴシック|hiragino kaku gothic pro|\
      hiragino kaku gothic pron|hirakakupron-w3|hirakakupro-w3|ヒラギノ角ゴ pro w3|ヒラギノ角ゴ pron w3|\
      hiragino sans|yu gothic|yugothic|游ゴシック|游ゴシック体|meiryo|メイリオ|osaka|sans-serif-ja|\
      sans-serif-ja-v|source han sans jp|noto sans jp|ipagothic|ipaexgothic|takaogothic|kozuka gothic pro|\
      hiragino maru gothic pron|vl gothic|
      """
    ),
    (
      .serif, .korean,
      """
      |batang|batangche|바탕|바탕체|gungsuh|applemyungjo|nanum myeongjo|nanummyeongjo|나눔명조|\
      noto serif kr|
      """
    ),
    (
      .sans, .korean,
      """
      |gulim|gulimche|굴림|굴림체|dotum|dotumche|돋움|돋움체|malgun gothic|맑은 고딕|apple sd gothic neo|\
      applegothic|nanum gothic|nanumgothic|나눔고딕|noto sans kr|
      """
    ),
  ]

  /// Families that stand for others, whose names are between bars, in lower case.
  private static let latinAliases: [(families: [String], names: StaticString)] = [
    (
      ["Liberation Serif", "Linux Libertine O"],
      """
      |times new roman|times|timesnewroman|times-roman|tinos|
      """
    ),
    (
      ["Linux Libertine O", "Liberation Serif"],
      """
      |linux libertine|linux libertine g|libertine|georgia|palatino|palatino linotype|book antiqua|\
      garamond|adobe garamond pro|eb garamond|baskerville|caslon|adobe caslon pro|minion pro|minion|\
      bookman|bookman old style|century|century schoolbook|new century schoolbook|charter|\
      bitstream charter|bookerly|literata|iowan old style|hoefler text|didot|constantia|sabon|crimson|\
      crimson text|gentium|gentium basic|gentium book basic|charis sil|cambria|caladea|free serif|\
      freeserif|droid serif|merriweather|source serif pro|utopia|
      """
    ),
    (
      ["Linux Biolinum O", "Noto Sans"],
      """
      |linux biolinum|optima|gill sans|gill sans mt|myriad pro|
      """
    ),
    (
      ["Liberation Sans", "Noto Sans"],
      """
      |arial|helvetica|helvetica neue|arimo|nimbus sans|freesans|
      """
    ),
    (
      ["Noto Sans", "Liberation Sans"],
      """
      |open sans|droid sans|segoe ui|roboto|lucida grande|lucida sans|lucida sans unicode|tahoma|\
      trebuchet ms|candara|corbel|futura|avenir|avenir next|franklin gothic|lato|source sans pro|ubuntu|\
      cantarell|
      """
    ),
    (
      ["DejaVu Sans", "Noto Sans"],
      """
      |verdana|bitstream vera sans|geneva|
      """
    ),
    (
      ["Carlito", "Noto Sans", "Liberation Sans"],
      """
      |calibri|
      """
    ),
    (
      ["DejaVu Serif", "Noto Serif"],
      """
      |bitstream vera serif|
      """
    ),
    (
      ["Liberation Mono", "DejaVu Sans Mono"],
      """
      |courier new|courier|cousine|freemono|
      """
    ),
    (
      ["DejaVu Sans Mono", "Liberation Mono"],
      """
      |consolas|monaco|menlo|andale mono|lucida console|lucida sans typewriter|bitstream vera sans mono|\
      inconsolata|ubuntu mono|source code pro|droid sans mono|dejavusansmono|ubuntumono|fira code|\
      fira mono|roboto mono|sfmono-regular|sf mono|
      """
    ),
    (
      ["Noto Color Emoji"],
      """
      |apple color emoji|segoe ui emoji|segoe ui symbol|
      """
    ),
  ]
}

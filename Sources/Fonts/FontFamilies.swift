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
    if let han = hanAliases[family] ?? hanStyle(of: family) {
      let fixed = han.region?.rawValue ?? region.rawValue
      return switch han.voice {
      case .serif: ["Noto Serif CJK \(fixed)"]
      case .sans: ["Noto Sans CJK \(fixed)"]
      case .kai: kai + ["Noto Serif CJK \(fixed)"]
      }
    }
    return latinAliases[family] ?? []
  }

  /// The style that the name of a Chinese, Japanese or Korean family tells, for the many that foundries sell.
  private static func hanStyle(of family: String) -> (voice: Voice, region: HanRegion?)? {
    let name = Array(family.utf8)
    return hanStyles.first { holds(name, $0.part) }.map { ($0.voice, $0.region) }
  }

  // The search of the standard library prepares a table for each part first, which is dear for a name of a few bytes.
  private static func holds(_ name: [UInt8], _ part: [UInt8]) -> Bool {
    guard name.count >= part.count else { return false }
    return (0...(name.count - part.count)).contains { start in part.indices.allSatisfy { name[start + $0] == part[$0] }
    }
  }

  /// Parts of names and what they tell; the first that is found holds.
  private static let hanStyles: [(part: [UInt8], voice: Voice, region: HanRegion?)] = {
    let styles: [(Voice, HanRegion?, [String])] = [
      (.kai, nil, ["楷", "kaiti", "kaisho"]),
      (.serif, .japanese, ["明朝", "ﾐﾝﾁｮｳ", "mincho"]),
      (.sans, .japanese, ["ゴシック", "ｺﾞｼｯｸ", "ヒラギノ角"]),
      (.serif, .korean, ["바탕", "명조", "myeongjo", "myungjo"]),
      (.sans, .korean, ["고딕", "돋움", "굴림"]),
      (.sans, nil, ["黑", "圆", "圓", "heiti", "yahei", "jhenghei"]),
      (.serif, nil, ["宋", "明體", "明体", "songti", "fangsong", "mingliu"]),
    ]
    return styles.flatMap { style in style.2.map { (Array($0.utf8), style.0, style.1) } }
  }()

  private enum Voice { case serif, sans, kai }

  private static let hanAliases: [String: (voice: Voice, region: HanRegion?)] = {
    var table: [String: (voice: Voice, region: HanRegion?)] = [:]
    func add(_ voice: Voice, _ region: HanRegion?, _ names: [String]) {
      for name in names { table[name.lowercased()] = (voice, region) }
    }
    add(
      .serif, .simplified,
      [
        "宋体", "SimSun", "NSimSun", "新宋体", "STSong", "华文宋体", "Songti SC", "Songti", "song", "宋體", "Source Han Serif",
        "Source Han Serif SC", "Source Han Serif CN", "思源宋体", "Noto Serif SC", "仿宋", "FangSong", "FangSong_GB2312",
        "STFangsong", "华文仿宋", "fs", "cnepub", "zw", "方正书宋", "FZShuSong", "SimSun-ExtB", "STZhongsong", "华文中宋",
        "方正仿宋", "MYing Hei S", "MSung", "DK-SONGTI", "DK-FANGSONG",
      ])
    add(
      .sans, .simplified,
      [
        "黑体", "SimHei", "STHeiti", "STXihei", "华文黑体", "华文细黑", "Heiti SC", "Heiti", "hei", "PingFang SC",
        "Microsoft YaHei", "微软雅黑", "Source Han Sans", "Source Han Sans SC", "Source Han Sans CN", "思源黑体",
        "Noto Sans SC", "Hiragino Sans GB", "方正黑体", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "DK-HEITI", "ht", "幼圆",
        "YouYuan",
      ])
    add(
      .kai, .simplified,
      [
        "楷体", "KaiTi", "KaiTi_GB2312", "STKaiti", "华文楷体", "Kaiti SC", "kai", "MKai PRC", "DK-KAITI", "方正楷体", "kt",
        "AR PL UKai CN", "隶书", "LiSu", "STXingkai", "华文行楷", "DK-XIAOBIAOSONG",
      ])
    add(.kai, .traditional, ["標楷體", "DFKai-SB", "BiauKai", "Kaiti TC", "楷體"])
    add(
      .serif, .traditional,
      [
        "PMingLiU", "MingLiU", "新細明體", "細明體", "Songti TC", "LiSong Pro", "Source Han Serif TC", "Noto Serif TC",
        "Apple LiSung",
      ])
    add(
      .sans, .traditional,
      [
        "PingFang TC", "Heiti TC", "Microsoft JhengHei", "微軟正黑體", "LiHei Pro", "Source Han Sans TC", "Noto Sans TC",
        "Apple LiGothic",
      ])
    add(.serif, .hongKong, ["MingLiU_HKSCS", "Noto Serif HK"])
    add(.sans, .hongKong, ["PingFang HK", "Noto Sans HK"])
    add(
      .serif, .japanese,
      [
        "MS Mincho", "MS PMincho", "ＭＳ 明朝", "ＭＳ Ｐ明朝", "Hiragino Mincho", "Hiragino Mincho Pro", "Hiragino Mincho ProN",
        "HiraMinProN-W3", "HiraMinPro-W3", "ヒラギノ明朝 Pro W3", "ヒラギノ明朝 ProN W3", "Yu Mincho", "YuMincho", "游明朝",
        "游明朝体", "serif-ja", "serif-ja-v", "Source Han Serif JP", "Noto Serif JP", "IPAMincho", "IPAexMincho",
        "TakaoMincho", "Kozuka Mincho Pro", "@serif-ja",
      ])
    add(
      .sans, .japanese,
      [
        "MS Gothic", "MS PGothic", "ＭＳ ゴシック", "ＭＳ Ｐゴシック", "Hiragino Kaku Gothic Pro", "Hiragino Kaku Gothic ProN",
        "HiraKakuProN-W3", "HiraKakuPro-W3", "ヒラギノ角ゴ Pro W3", "ヒラギノ角ゴ ProN W3", "Hiragino Sans", "Yu Gothic",
        "YuGothic", "游ゴシック", "游ゴシック体", "Meiryo", "メイリオ", "Osaka", "sans-serif-ja", "sans-serif-ja-v",
        "Source Han Sans JP", "Noto Sans JP", "IPAGothic", "IPAexGothic", "TakaoGothic", "Kozuka Gothic Pro",
        "Hiragino Maru Gothic ProN", "VL Gothic",
      ])
    add(
      .serif, .korean,
      [
        "Batang", "BatangChe", "바탕", "바탕체", "Gungsuh", "AppleMyungjo", "Nanum Myeongjo", "NanumMyeongjo", "나눔명조",
        "Noto Serif KR",
      ])
    add(
      .sans, .korean,
      [
        "Gulim", "GulimChe", "굴림", "굴림체", "Dotum", "DotumChe", "돋움", "돋움체", "Malgun Gothic", "맑은 고딕",
        "Apple SD Gothic Neo", "AppleGothic", "Nanum Gothic", "NanumGothic", "나눔고딕", "Noto Sans KR",
      ])
    return table
  }()

  private static let latinAliases: [String: [String]] = {
    var table: [String: [String]] = [:]
    func add(_ targets: [String], _ names: [String]) { for name in names { table[name.lowercased()] = targets } }
    add(
      ["Liberation Serif", "Linux Libertine O"], ["Times New Roman", "Times", "TimesNewRoman", "Times-Roman", "Tinos"])
    add(
      ["Linux Libertine O", "Liberation Serif"],
      [
        "Linux Libertine", "Linux Libertine G", "Libertine", "Georgia", "Palatino", "Palatino Linotype", "Book Antiqua",
        "Garamond", "Adobe Garamond Pro", "EB Garamond", "Baskerville", "Caslon", "Adobe Caslon Pro", "Minion Pro",
        "Minion",
        "Bookman", "Bookman Old Style", "Century", "Century Schoolbook", "New Century Schoolbook", "Charter",
        "Bitstream Charter", "Bookerly", "Literata", "Iowan Old Style", "Hoefler Text", "Didot", "Constantia", "Sabon",
        "Crimson", "Crimson Text", "Gentium", "Gentium Basic", "Gentium Book Basic", "Charis SIL", "Cambria", "Caladea",
        "Free Serif", "FreeSerif", "Droid Serif", "Merriweather", "Source Serif Pro", "Utopia",
      ])
    add(["Linux Biolinum O", "Noto Sans"], ["Linux Biolinum", "Optima", "Gill Sans", "Gill Sans MT", "Myriad Pro"])
    add(
      ["Liberation Sans", "Noto Sans"], ["Arial", "Helvetica", "Helvetica Neue", "Arimo", "Nimbus Sans", "FreeSans"])
    add(
      ["Noto Sans", "Liberation Sans"],
      [
        "Open Sans", "Droid Sans", "Segoe UI", "Roboto", "Lucida Grande", "Lucida Sans", "Lucida Sans Unicode",
        "Tahoma",
        "Trebuchet MS", "Candara", "Corbel", "Futura", "Avenir", "Avenir Next", "Franklin Gothic", "Lato",
        "Source Sans Pro",
        "Ubuntu", "Cantarell",
      ])
    add(["DejaVu Sans", "Noto Sans"], ["Verdana", "Bitstream Vera Sans", "Geneva"])
    add(["Carlito", "Noto Sans", "Liberation Sans"], ["Calibri"])
    add(["DejaVu Serif", "Noto Serif"], ["Bitstream Vera Serif"])
    add(["Liberation Mono", "DejaVu Sans Mono"], ["Courier New", "Courier", "Cousine", "FreeMono"])
    add(
      ["DejaVu Sans Mono", "Liberation Mono"],
      [
        "Consolas", "Monaco", "Menlo", "Andale Mono", "Lucida Console", "Lucida Sans Typewriter",
        "Bitstream Vera Sans Mono",
        "Inconsolata", "Ubuntu Mono", "Source Code Pro", "Droid Sans Mono", "DejaVuSansMono", "UbuntuMono", "Fira Code",
        "Fira Mono", "Roboto Mono", "SFMono-Regular", "SF Mono",
      ])
    add(["Noto Color Emoji"], ["Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol"])
    return table
  }()
}

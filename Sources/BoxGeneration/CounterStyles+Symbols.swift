extension CounterStyles {
  /// Positional styles: ten digits each.
  static let numericDigits: [String: String] = [
    "arabic-indic": "٠١٢٣٤٥٦٧٨٩", "persian": "۰۱۲۳۴۵۶۷۸۹", "urdu": "۰۱۲۳۴۵۶۷۸۹", "bengali": "০১২৩৪৫৬৭৮৯",
    "cambodian": "០១២៣៤៥៦៧៨៩", "khmer": "០១២៣៤៥៦៧៨៩", "cjk-decimal": "〇一二三四五六七八九", "devanagari": "०१२३४५६७८९",
    "gujarati": "૦૧૨૩૪૫૬૭૮૯", "gurmukhi": "੦੧੨੩੪੫੬੭੮੯", "kannada": "೦೧೨೩೪೫೬೭೮೯", "lao": "໐໑໒໓໔໕໖໗໘໙",
    "malayalam": "൦൧൨൩൪൫൬൭൮൯", "mongolian": "᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙", "myanmar": "၀၁၂၃၄၅၆၇၈၉", "oriya": "୦୧୨୩୪୫୬୭୮୯",
    "tamil": "௦௧௨௩௪௫௬௭௮௯", "telugu": "౦౧౨౩౪౫౬౭౮౯", "thai": "๐๑๒๓๔๕๖๗๘๙", "tibetan": "༠༡༢༣༤༥༦༧༨༩",
  ]

  /// Bijective styles: letters that begin again with two of them after the last.
  static let alphabets: [String: String] = [
    "lower-alpha": "abcdefghijklmnopqrstuvwxyz", "lower-latin": "abcdefghijklmnopqrstuvwxyz",
    "upper-alpha": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "upper-latin": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lower-greek": "αβγδεζηθικλμνξοπρστυφχψω",
    "hiragana": "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん",
    "hiragana-iroha": "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす",
    "katakana": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン",
    "katakana-iroha": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
  ]

  /// Styles with a symbol for the first few numbers only.
  static let fixedSymbols: [String: String] = [
    "cjk-earthly-branch": "子丑寅卯辰巳午未申酉戌亥", "cjk-heavenly-stem": "甲乙丙丁戊己庚辛壬癸",
  ]

  static let additiveSystems: [String: Additive] = [
    "lower-roman": Additive(range: 1...3999, weights: roman(upper: false)),
    "upper-roman": Additive(range: 1...3999, weights: roman(upper: true)),
    "armenian": Additive(range: 1...9999, weights: letters("ՔՓՒՑՐՏՎՍՌՋՊՉՈՇՆՅՄՃՂՁՀԿԾԽԼԻԺԹԸԷԶԵԴԳԲԱ", highest: 9000)),
    "upper-armenian": Additive(
      range: 1...9999, weights: letters("ՔՓՒՑՐՏՎՍՌՋՊՉՈՇՆՅՄՃՂՁՀԿԾԽԼԻԺԹԸԷԶԵԴԳԲԱ", highest: 9000)),
    "lower-armenian": Additive(
      range: 1...9999, weights: letters("քփւցրտվսռջպչոշնյմճղձհկծխլիժթըէզեդգբա", highest: 9000)),
    "georgian": Additive(range: 1...19999, weights: letters("ჵჰჯჴხჭწძცჩშყღქფჳტსრჟპოჲნმლკითჱზვედგბა", highest: 10000)),
  ]

  private static func roman(upper: Bool) -> [(Int, String)] {
    let weights = [
      (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
      (9, "ix"),
      (5, "v"), (4, "iv"), (1, "i"),
    ]
    return upper ? weights.map { ($0.0, $0.1.uppercased()) } : weights
  }
  /// Letters for 9000 … 1000, 900 … 100, 90 … 10, 9 … 1, from `highest` down.
  private static func letters(_ symbols: String, highest: Int) -> [(Int, String)] {
    var weights: [(Int, String)] = []
    var weight = highest
    var step = highest == 10000 ? 10000 : 1000
    for symbol in symbols {
      weights.append((weight, String(symbol)))
      if weight == step { step /= 10 }
      weight -= max(step, 1)
    }
    return weights
  }

  static let chineseSystems: [String: Chinese] = [
    "simp-chinese-informal": Chinese(
      digits: Array("零一二三四五六七八九"), markers: Array("十百千"), negative: "负", elidesOne: .leadingTen, writesZeros: true,
      groups: Array("万亿")),
    "simp-chinese-formal": Chinese(
      digits: Array("零壹贰叁肆伍陆柒捌玖"), markers: Array("拾佰仟"), negative: "负", elidesOne: .never, writesZeros: true,
      groups: Array("万亿")),
    "trad-chinese-informal": tradChineseInformal,
    "cjk-ideographic": tradChineseInformal,
    "trad-chinese-formal": Chinese(
      digits: Array("零壹貳參肆伍陸柒捌玖"), markers: Array("拾佰仟"), negative: "負", elidesOne: .never, writesZeros: true,
      groups: Array("萬億")),
    "japanese-informal": Chinese(
      digits: Array("〇一二三四五六七八九"), markers: Array("十百千"), negative: "マイナス", elidesOne: .always, writesZeros: false),
    "japanese-formal": Chinese(
      digits: Array("零壱弐参四伍六七八九"), markers: Array("拾百阡"), negative: "マイナス", elidesOne: .never, writesZeros: false),
    "korean-hangul-formal": Chinese(
      digits: Array("영일이삼사오육칠팔구"), markers: Array("십백천"), negative: "마이너스 ", elidesOne: .never, writesZeros: false,
      groups: Array("만억"), separator: " "),
    "korean-hanja-informal": Chinese(
      digits: Array("零一二三四五六七八九"), markers: Array("十百千"), negative: "마이너스 ", elidesOne: .always, writesZeros: false,
      groups: Array("萬億"), separator: " "),
    "korean-hanja-formal": Chinese(
      digits: Array("零壹貳參四五六七八九"), markers: Array("拾百仟"), negative: "마이너스 ", elidesOne: .never, writesZeros: false,
      groups: Array("萬億"), separator: " "),
  ]
  private static let tradChineseInformal = Chinese(
    digits: Array("零一二三四五六七八九"), markers: Array("十百千"), negative: "負", elidesOne: .leadingTen, writesZeros: true,
    groups: Array("萬億"))
}

/// Guesses the encoding of text that is not UTF-8 by decoding it in each and asking how much it reads like a language.
enum EncodingGuess {
  struct Outcome {
    var encoding: String
    /// Bytes were all valid in it, but for one sequence at the end.
    var isClean: Bool
    var score: Double
  }

  private static let candidates = [
    "gb18030", "Big5-HKSCS", "windows-31j", "windows-949", "EUC-JP", "windows-1251", "windows-1252", "koi8-r",
  ]

  /// The best of the byte encodings, nil when the bytes read like nothing in any of them.
  static func legacy(_ bytes: [UInt8]) -> Outcome? {
    let sample = sample(of: bytes)
    let foreign = sample.reduce(into: 0) { count, byte in if byte >= 0x80 { count += 1 } }
    guard foreign > 0 else { return nil }
    var best: Outcome?
    for encoding in candidates {
      guard let decoded = TextDecoder.decode(sample, from: encoding) else { continue }
      let score = score(decoded.utf8) / Double(foreign) - Double(decoded.malformed) * 4 / Double(foreign)
      if score > best?.score ?? 0.25 {
        best = Outcome(encoding: encoding, isClean: decoded.malformed <= 1, score: score)
      }
    }
    return best
  }

  /// UTF-16 without a mark, told from zero bytes at even or odd places and from the text itself.
  static func wide(_ bytes: [UInt8]) -> String? {
    var zeros = (even: 0, odd: 0)
    let sample = bytes.prefix(1 << 16)
    for index in sample.indices where sample[index] == 0 {
      if index & 1 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let units = sample.count / 2
    guard units >= 2 else { return nil }
    let (many, few) = (max(zeros.even, zeros.odd), min(zeros.even, zeros.odd))
    // Text mostly of ASCII: every other byte is zero.
    if many * 3 >= units, few * 10 <= many { return zeros.odd > zeros.even ? "UTF-16LE" : "UTF-16BE" }
    var best: (encoding: String, score: Double)?
    for encoding in ["UTF-16LE", "UTF-16BE"] {
      guard let decoded = TextDecoder.decode(sample.prefix(units * 2), from: encoding), decoded.malformed * 50 <= units
      else { continue }
      let score = score(decoded.utf8) / Double(units)
      // Without any zero byte the text must read very well, since most bytes make ideographs of some kind.
      if score > best?.score ?? (many > 0 ? 0.7 : 1.0) { best = (encoding, score) }
    }
    return best?.encoding
  }

  /// The first bytes, cut at a line end where there is one.
  private static func sample(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    let most = 1 << 16
    guard bytes.count > most else { return bytes[...] }
    let cut = bytes[..<most].lastIndex(of: 0x0A) ?? most
    return bytes[..<(cut > most / 2 ? cut : most)]
  }

  /// Points for characters that are common, minus points for those no text has.
  private static func score(_ utf8: [UInt8]) -> Double {
    var total = 0.0
    var previous: Unicode.Scalar = " "
    var beforePrevious: Unicode.Scalar = " "
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      total += points(scalar, after: previous, beforePrevious)
      beforePrevious = previous
      previous = scalar
    }
    return total
  }

  private static func points(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar, _ beforePrevious: Unicode.Scalar)
    -> Double
  {
    switch scalar.value {
    case 0..<0x80: return isLatinLetter(scalar) && isAccented(previous) && isLatinLetter(beforePrevious) ? 0.3 : 0
    case 0x80..<0xA0: return -1
    case 0xFFFD: return -4
    case 0xE000..<0xF900, 0xF0000...: return -3
    case 0x4E00..<0xA000: return common.contains(scalar) ? 2 : 0.2
    case 0x3400..<0x4E00, 0x20000..<0x30000: return -1
    case 0x3041..<0x3097: return 2
    case 0x30A1..<0x30FD: return 1.6
    case 0xFF61..<0xFFA0: return -0.8
    case 0x3000..<0x3020: return 1.6
    case 0xFF01..<0xFF5F: return 1.2
    case 0x2010..<0x2040: return isEastAsian(previous) ? 1.2 : 0.6
    case 0xAC00..<0xD7A4: return commonHangul.contains(scalar) ? 2 : 0.5
    case 0x1100..<0x1200, 0x3130..<0x3190: return 0
    case 0x0430..<0x0450:
      return commonCyrillic.contains(scalar) ? 1 : 0.6
    case 0x0451: return 0.6
    case 0x0410..<0x0430, 0x0401:
      // A capital after a small letter: the wrong Cyrillic encoding.
      return previous.value >= 0x0430 && previous.value < 0x0460 ? -1 : 0.4
    case 0x0400..<0x0460: return 0.1
    case 0xC0..<0x180:
      if isAccented(previous) { return -0.6 }
      if scalar.value >= 0xE0 || scalar.value == 0xDF { return isLatinLetter(previous) ? 0.9 : 0.3 }
      return isLatinLetter(previous) && previous.value >= 0x61 ? -0.5 : 0.3
    case 0xA0..<0xC0: return scalar.value == 0xA0 || scalar.value == 0xAB || scalar.value == 0xBB ? 0.5 : -0.1
    case 0x2500..<0x2600: return -0.6
    default: return -0.3
    }
  }

  private static func isLatinLetter(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.value | 0x20) >= 0x61 && (scalar.value | 0x20) <= 0x7A && scalar.value < 0x80
  }
  private static func isAccented(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0xC0 && scalar.value < 0x180 }
  private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x2E80 && scalar.value < 0xFF60 }

  /// Ideographs every Chinese or Japanese page has some of, in simplified, traditional and Japanese forms.
  private static let common = Set(
    """
    的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么\
    心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分\
    将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重\
    被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住\
    员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制\
    解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非\
    流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转\
    這個國說們為來時會過學對後開發長從動將與進實點種聲話兒機給幾業間電東氣關並內產萬體別處總場師書員華報馬張難\
    數應號車記邊戰風幹許覺題統請愛讓認論義術結資隊帶條變聯權傳紅決達辦運區轉無經頭樣現見問門\
    曰其矣焉哉吾汝爾夫蓋乃於則故雖若孔君仁禮樂道德卷序章回\
    見気円図楽広対応団悪択沢発覚読売訳駅験済経続総戸社様思持言行出来彼女私何時間今前後自分者物事所私達
    """.unicodeScalars)

  private static let commonHangul = Set(
    "이다는을가에의고하은지를한도로사기대어서나리인자해있라시그수아정일주들게전보없부원상제것면과여동장거모우스안으니며된구성화만적던습저마생말내때위오문공조된물미세실국영무관선야경신유할려소러진연개와람".unicodeScalars
  )

  private static let commonCyrillic = Set("оеаинтсрвлкмдпуя".unicodeScalars)
}

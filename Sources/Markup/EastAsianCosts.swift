/// What characters cost in texts of Chinese, Japanese and Korean, in bits (`SingleByteEncoding`).
enum EastAsianCosts {
  /// An encoding of two bytes a character.
  struct Encoding: Sendable {
    var name: String
    var prior: Float
    /// The second byte of a pair may be one of ASCII's.
    var hasASCIITrails: Bool
    /// The lead bytes of a pair.
    var leads: @Sendable (UInt8) -> Bool
    /// The pair is in the half of the character set that holds what is rare.
    var isRare: @Sendable (UInt8, UInt8) -> Bool
  }

  static let encodings = [
    Encoding(
      name: "gb18030", prior: 2, hasASCIITrails: true, leads: { $0 > 0x80 },
      isRare: { $0 < 0xA1 || $1 < 0xA1 || $0 > 0xD7 }),
    Encoding(
      name: "Big5", prior: 3, hasASCIITrails: true, leads: { $0 > 0x80 },
      isRare: { lead, _ in lead < 0xA1 || lead > 0xC6 }),
    Encoding(
      name: "Shift_JIS", prior: 2, hasASCIITrails: true, leads: { $0 > 0x80 && ($0 < 0xA0 || $0 >= 0xE0) },
      isRare: { $0 > 0x98 || $0 == 0x98 && $1 > 0x72 }),
    Encoding(
      name: "EUC-JP", prior: 4, hasASCIITrails: false, leads: { $0 > 0x80 }, isRare: { lead, _ in lead > 0xCF }),
    Encoding(
      name: "EUC-KR", prior: 2, hasASCIITrails: true, leads: { $0 > 0x80 },
      isRare: { $0 < 0xA1 || $1 < 0xA1 || $0 > 0xC8 }),
  ]

  /// What the characters of a text cost, and those of them beyond ASCII.
  static func cost(of utf8: [UInt8]) -> (all: Float, foreign: Float) {
    let ascii = LetterCosts.shared.languages[LetterCosts.shared.english].ascii
    var all: Float = 0
    var foreign: Float = 0
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      let cost = scalar.value < 0x80 ? ascii[Int(scalar.value)] : cost(of: scalar)
      all += cost
      if scalar.value >= 0x80 { foreign += cost }
    }
    return (all, foreign)
  }

  /// The pairs of some bytes that the encoding has among the rare ones.
  static func rarePairs(in bytes: ArraySlice<UInt8>, of encoding: Encoding) -> Int {
    var count = 0
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let lead = bytes[index]
      let trail = bytes[index + 1]
      guard encoding.leads(lead), trail >= (encoding.hasASCIITrails ? 0x40 : 0x80) else {
        index += 1
        continue
      }
      if encoding.isRare(lead, trail) { count += 1 }
      index += 2
    }
    return count
  }

  static func cost(of scalar: Unicode.Scalar) -> Float {
    switch scalar.value {
    case 0xFFFD: 24
    case 0x80..<0xA0: 20
    case 0x4E00..<0xA000: ideographs.contains(scalar) ? 9.5 : 13
    case 0x3400..<0x4E00, 0x20000..<0x40000, 0xE000..<0xF900, 0xF0000...: 24
    case 0x3041..<0x30FD: 7.5
    case 0x3000..<0x3020: 7
    case 0xFF01..<0xFF5F: 8
    case 0xFF61..<0xFFA0: 11
    case 0xAC00..<0xD7A4: syllables.contains(scalar) ? 8 : 12
    case 0x2010..<0x2040, 0x2500..<0x2580: 9
    default: 17
    }
  }

  /// Ideographs every Chinese or Japanese page has some of, in simplified, traditional and Japanese forms.
  private static let ideographs = Set(
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

  private static let syllables = Set(
    "이다는을가에의고하은지를한도로사기대어서나리인자해있라시그수아정일주들게전보없부원상제것면과여동장거모우스안으니며된구성화만적던습저마생말내때위오문공조된물미세실국영무관선야경신유할려소러진연개와람".unicodeScalars
  )
}

import CSS
import Primitives
import Styling

/// How deep quotations are nested where generation stands, and their marks (CSS Content 3, section 3.2).
struct QuoteNesting {
  private var depth = 0

  /// Enters or leaves a quotation as an item of content says: the mark that it shows, nil where it shows none.
  mutating func mark(for item: ContentItem, _ style: ComputedStyle, _ table: StyleTable) -> String? {
    switch item {
    case .openQuote:
      defer { depth += 1 }
      return Self.mark(style, table, level: depth, isOpening: true)
    case .closeQuote:
      guard depth > 0 else { return nil }
      depth -= 1
      return Self.mark(style, table, level: depth, isOpening: false)
    case .noOpenQuote: depth += 1
    case .noCloseQuote: depth = max(0, depth - 1)
    default: break
    }
    return nil
  }

  private static func mark(
    _ style: ComputedStyle, _ table: StyleTable, level: Int, isOpening: Bool
  ) -> String {
    let pairs: [[String]]
    switch table.lists[style.list.index].quotes {
    case .none: return ""
    case .pairs(let declared): pairs = declared
    case .auto:
      let language = table.texts[style.text.index].language
      // The package's language is none of the document's (EPUB 3.3, section 5.5.3.1.3).
      let marks = DefaultQuotes.marks(language: language)
      return String(marks[min(level, 1) * 2 + (isOpening ? 0 : 1)])
    }
    guard !pairs.isEmpty else { return "" }
    let pair = pairs[min(level, pairs.count - 1)]
    guard pair.count == 2 else { return "" }
    return isOpening ? pair[0] : pair[1]
  }
}

/// Quotation marks by language, for `quotes: auto` (Unicode CLDR 42, delimiters): outer pair, inner pair.
enum DefaultQuotes {
  /// The marks of the longest beginning of the tag that has any (RFC 4647, section 3.4).
  static func marks(language: String) -> [Character] {
    var tag = Substring(language.lowercased())
    while true {
      if let marks = byTag[tag] { return marks }
      guard let end = tag.lastIndex(of: "-") else { return english }
      tag = tag[..<end]
    }
  }

  private static let english: [Character] = Array("“”‘’")
  private static let byTag: [Substring: [Character]] = {
    var table: [Substring: [Character]] = [:]
    func add(_ marks: String, _ languages: String) {
      for language in languages.split(separator: " ") { table[language] = Array(marks) }
    }
    add("«»«»", "fr hy yav")
    add("«»‘’", "dua ksf nb nn no rw")
    add("«»“”", "an ast bm br ca dyo el es eu ewo it kab kk mg mua nnh sc sg sq ti")
    add("«»“”", "pt-ao pt-ch pt-cv pt-gq pt-gw pt-lu pt-mo pt-mz pt-pt pt-st pt-tl")
    add("«»”“", "fr-ca")
    add("«»„“", "bas be cv ky os ru sah uk")
    add("«»„”", "shi zgh")
    add("«»‹›", "am az-cyrl fa fr-ch gsw jgo kkj mzn rm wae")
    add("»«›‹", "ug")
    add("‘’‘’", "nl")
    add("‘’“”", "fur gsw-li ia ti-er")
    add("“”‘’", "es-419 es-ar es-bo es-br es-bz es-cl es-co es-cr es-cu es-do es-ec es-gt es-hn es-mx es-ni")
    add("“”‘’", "es-pa es-pe es-pr es-py es-sv es-uy es-ve ff-adlm uz-arab uz-cyrl yue-hans")
    add("“”’‘", "uz")
    add("“”“”", "tk")
    add("”“’‘", "ar ur")
    add("””’’", "fi he lag rn se sn sv yi")
    add("„“«»", "ka")
    add("„“‘‘", "sr")
    add("„“‚‘", "bs-cyrl cs de dsb et hr hsb is ksh lb luy mk sk sl")
    add("„“„“", "bg lt")
    add("„”«»", "nmg pl ro")
    add("„”»«", "hu")
    add("„”‘’", "bs")
    add("„”‚’", "agq ff")
    add("「」『』", "ja yue zh-hant zh-hk zh-mo zh-tw")
    return table
  }()
}

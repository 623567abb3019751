/// A line that heads a chapter.
struct PlainTextHeading: Hashable {
  /// 0 for volumes and parts, 1 for chapters.
  var level: Int
  /// The unit that it counts and its number, to find the same heading again in a table of contents.
  var key: String
  /// The heading has words beside its number.
  var hasTitle: Bool
  /// For the table of contents, where it is not the line itself.
  var title: String?
  /// What it counts; nil for headings without a number.
  var count: Count?

  struct Count: Hashable {
    /// The word for the part of the book that it heads, in lower case.
    var unit: String
    /// Nil where words say the number.
    var number: Int?
    /// What stands behind the number.
    var delimiter: Unicode.Scalar? = nil
  }
}

/// Recognises the headings of Chinese, Japanese, Korean, English, Russian and some other plain texts.
///
/// A line counts as heading only when nothing on it looks like a sentence: plain texts speak of chapters too.
enum PlainTextHeadings {
  typealias Scalars = ArraySlice<Unicode.Scalar>

  /// The heading a line is, nil for all others.
  ///
  /// - Parameter standsAlone: A title that follows its number at once may be longer in such a line.
  static func parse(_ line: some Sequence<Unicode.Scalar>, standsAlone: Bool = false) -> PlainTextHeading? {
    let scalars = Array(line.prefix(101))
    guard scalars.count <= 100, let first = scalars.first else { return nil }
    if let marker = marker(scalars) { return marker }
    if first == "<" { return nil }
    var rest = scalars[...]
    if first == "【" || first == "〖", let close = rest.firstIndex(where: { $0 == "】" || $0 == "〗" }) {
      rest = (scalars[1..<close] + [" "] + scalars[(close + 1)...])[...]
    }
    rest = dropping("正文", from: rest, ifFollowedBy: isSpace) ?? rest
    guard let start = rest.first else { return nil }
    if start == "第" || start == "卷" { return eastAsian(rest, most: standsAlone ? longestTitle : 20) }
    if start.value >= 0x3040 { return words(rest) ?? korean(rest) ?? numberedName(rest) }
    return western(rest)
  }

  // MARK: Chinese and Japanese

  private static let chapterUnits = Set("章回节節话話集幕折场場课課讲講篇品齣则則出".unicodeScalars)
  private static let volumeUnits = Set("卷部册冊编編季".unicodeScalars)
  private static let digits = Set("零〇○Ｏ一二三四五六七八九十百千万萬两兩廿卅卌壹贰貳叁參肆伍陆陸柒捌玖拾0123456789０１２３４５６７８９".unicodeScalars)

  private static let longestTitle = 45

  private static func eastAsian(_ line: Scalars, most: Int) -> PlainTextHeading? {
    var rest = line.dropFirst()
    if line.first == "卷" {
      if rest.first == "之" || rest.first == "第" { rest = rest.dropFirst() }
      var (number, after) = takeNumber(rest)
      if number.isEmpty, let next = rest.first, "上中下首末".unicodeScalars.contains(next) {
        number = String(next)
        after = rest.dropFirst()
      }
      guard !number.isEmpty, let hasTitle = title(after, isDirect: true, most: 12) else { return nil }
      return PlainTextHeading(
        level: 0, key: "卷\(number)", hasTitle: hasTitle, count: .init(unit: "卷", number: Int(number)))
    }
    rest = skipSpaces(rest)
    let (number, after) = takeNumber(rest)
    let tail = skipSpaces(after)
    guard !number.isEmpty, let unit = tail.first else { return nil }
    let isVolume = volumeUnits.contains(unit)
    guard isVolume || chapterUnits.contains(unit) else { return nil }
    guard let hasTitle = title(tail.dropFirst(), isDirect: true, most: most) else { return nil }
    // “第一卷 第三章 …” is a chapter.
    var level = isVolume ? 0 : 1
    var key = "\(unit)\(number)"
    if isVolume, let next = tail.firstIndex(of: "第"), let inner = eastAsian(tail[next...], most: most) {
      level = inner.level
      key += inner.key
    }
    return PlainTextHeading(
      level: level, key: key, hasTitle: hasTitle, count: .init(unit: String(unit), number: Int(number)))
  }

  private static func takeNumber(_ scalars: Scalars) -> (String, Scalars) {
    let number = scalars.prefix { digits.contains($0) }
    guard number.count <= 12 else { return ("", scalars) }
    var normalized = ""
    for scalar in number {
      switch scalar {
      case "〇", "○", "Ｏ": normalized.unicodeScalars.append("零")
      case "０"..."９": normalized.unicodeScalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
      default: normalized.unicodeScalars.append(scalar)
      }
    }
    return (normalized, scalars[number.endIndex...])
  }

  /// Words that head a part without a number.
  private static let standing: [(word: String, level: Int)] = [
    "自序", "代序", "原序", "序言", "序章", "序幕", "序曲", "序", "前言", "引言", "引子", "楔子", "卷首语", "卷首語", "开篇", "開篇",
    "尾声", "尾聲", "后记", "後記", "跋", "附录", "附錄", "付録", "부록", "番外篇", "番外", "外传", "外傳", "终章", "終章", "最终章", "最終章",
    "结语", "結語", "结局", "致谢", "致謝", "简介", "内容简介", "內容簡介", "作者简介", "出版说明", "导读", "導讀", "译后记", "译者序",
    "まえがき", "はじめに", "あとがき", "おわりに", "プロローグ", "エピローグ", "解説", "目次",
    "프롤로그", "에필로그", "머리말", "서문", "서장", "종장", "후기", "맺음말",
  ].map { ($0, 1) }.sorted { $0.0.utf8.count > $1.0.utf8.count }

  private static func words(_ line: Scalars) -> PlainTextHeading? {
    for (word, level) in standing {
      guard line.starts(with: word.unicodeScalars) else { continue }
      guard word != "目次" else { return nil }
      var rest = line.dropFirst(word.unicodeScalars.count)
      if appendices.contains(word), let heading = appendix(word, skipSpaces(rest)) { return heading }
      let (number, after) = takeNumber(rest)
      rest = after
      guard let hasTitle = title(rest, isDirect: false, most: 0) else { return nil }
      return PlainTextHeading(level: level, key: word + number, hasTitle: hasTitle)
    }
    return nil
  }

  private static let appendices: Set<String> = ["附录", "附錄", "付録", "부록"]

  /// `附录 A. …`
  private static func appendix(_ word: String, _ rest: Scalars) -> PlainTextHeading? {
    guard let letter = rest.first, ("A"..."Z").contains(letter),
      let hasTitle = title(rest.dropFirst(), isDirect: false, most: 0)
    else { return nil }
    return PlainTextHeading(
      level: 1, key: "\(word)\(letter)", hasTitle: hasTitle,
      count: .init(unit: word, number: Int(letter.value) & 0x1F, delimiter: rest.dropFirst().first))
  }

  private static func korean(_ line: Scalars) -> PlainTextHeading? {
    var rest = line
    if rest.first == "제" { rest = skipSpaces(rest.dropFirst()) }
    let (number, after) = takeNumber(rest)
    guard !number.isEmpty, line.first == "제" else { return nil }
    let tail = skipSpaces(after)
    guard let unit = tail.first, "장화부권편막절회".unicodeScalars.contains(unit) else { return nil }
    guard let hasTitle = title(tail.dropFirst(), isDirect: false, most: 0) else { return nil }
    return PlainTextHeading(
      level: "부권편".unicodeScalars.contains(unit) ? 0 : 1, key: "\(unit)\(number)", hasTitle: hasTitle,
      count: .init(unit: String(unit), number: Int(number)))
  }

  /// The books of the classics: a name and its number, nothing else on the line (學而第一).
  private static func numberedName(_ line: Scalars) -> PlainTextHeading? {
    guard line.count <= 12, let mark = line.firstIndex(of: "第"), mark > line.startIndex, mark - line.startIndex <= 6
    else { return nil }
    guard line[..<mark].allSatisfy({ $0.value >= 0x3400 && $0.value < 0xA000 }) else { return nil }
    let (number, rest) = takeNumber(line[(mark + 1)...])
    guard !number.isEmpty, rest.isEmpty else { return nil }
    return PlainTextHeading(level: 1, key: String(String.UnicodeScalarView(line)), hasTitle: true)
  }

  /// `<篇名>` and `<目录>` of digitised classics.
  private static func marker(_ line: [Unicode.Scalar]) -> PlainTextHeading? {
    guard let marker = PlainTextMarks.marker(of: line), !marker.title.isEmpty else { return nil }
    return PlainTextHeading(
      level: marker.isVolume ? 0 : 1, key: String(String.UnicodeScalarView(line)), hasTitle: true, title: marker.title)
  }

  // MARK: Titles

  private static let endings = Set("。，,;；：:、".unicodeScalars)
  private static let sentenceMarks = Set("。，,；;：:“”\"「」『』！？!?".unicodeScalars)
  private static let continuations = Set("里裡的是就也和与與说說讲講时時以".unicodeScalars)

  /// The words behind a heading's number may be a title: true for one, false for nothing, nil for a sentence.
  private static func title(_ rest: Scalars, isDirect: Bool, most: Int) -> Bool? {
    guard let first = rest.first else { return false }
    let isSeparated = isSpace(first) || separators.contains(first)
    let title = rest.drop { isSpace($0) || separators.contains($0) }
    guard !title.isEmpty else { return false }
    guard title.count <= longestTitle, let last = title.last, !endings.contains(last), !title.contains("。") else {
      return nil
    }
    if isSeparated { return true }
    guard isDirect, title.count <= most, let start = title.first, !continuations.contains(start),
      !title.contains(where: { sentenceMarks.contains($0) })
    else { return nil }
    return true
  }

  private static let separators = Set("：:、.．·・-—–_】〗)）|｜".unicodeScalars)

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\u{3000}" || scalar == "\u{A0}"
  }
  private static func skipSpaces(_ scalars: Scalars) -> Scalars { scalars.drop(while: isSpace) }

  private static func dropping(_ word: String, from line: Scalars, ifFollowedBy test: (Unicode.Scalar) -> Bool)
    -> Scalars?
  {
    guard line.starts(with: word.unicodeScalars) else { return nil }
    let rest = line.dropFirst(word.unicodeScalars.count)
    guard let next = rest.first, test(next) else { return nil }
    return skipSpaces(rest)
  }
}

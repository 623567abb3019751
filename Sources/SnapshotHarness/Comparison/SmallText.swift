/// Small text within lines: marks of notes, exponents and their like, which have a size of their own.
enum SmallText {
  /// Of the size of most of a text, text smaller than such a part is small.
  private static let largest = 0.95

  /// The small pieces that are left out of `runs` to have `rest`, each whole and short; nil where it takes anything else.
  static func lost(from runs: [RunRecord], leaving rest: [RunRecord]) -> String? {
    var lengths: [Double: Int] = [:]
    for run in runs { lengths[run.size, default: 0] += run.text.utf8.count }
    guard let main = lengths.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else { return nil }
    var left = rest.flatMap { ChapterDiff.essence($0.text) }[...]
    var lost = String.UnicodeScalarView()
    for run in runs {
      let text = ChapterDiff.essence(run.text)
      if left.starts(with: text) {
        left = left.dropFirst(text.count)
      } else if run.size < main * largest, text.count <= TextClass.longest {
        lost.append(contentsOf: text)
      } else {
        return nil
      }
    }
    return left.isEmpty && !lost.isEmpty ? String(lost) : nil
  }
}

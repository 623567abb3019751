/// Small text within lines: marks of notes, exponents and their like, which have a size of their own.
struct SmallText {
  /// The size that most of the text of a block has, in CSS px.
  let size: Double

  /// Of that size, text smaller than such a part is small.
  private static let largest = 0.95

  /// - Parameter lengths: how much text has which size.
  init(_ lengths: [Double: Int]) {
    size = lengths.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
  }

  /// The run is small, and no passage.
  func contains(_ run: RunRecord) -> Bool {
    run.size < size * Self.largest && ChapterDiff.essence(run.text).count <= TextClass.longest
  }

  /// The small pieces that are left out of `runs` to have `rest`, each whole; nil where it takes anything else.
  func lost(from runs: [RunRecord], leaving rest: [RunRecord]) -> String? {
    var left = rest.flatMap { ChapterDiff.essence($0.text) }[...]
    var lost = String.UnicodeScalarView()
    for run in runs {
      let text = ChapterDiff.essence(run.text)
      if left.starts(with: text) {
        left = left.dropFirst(text.count)
      } else if contains(run) {
        lost.append(contentsOf: text)
      } else {
        return nil
      }
    }
    return left.isEmpty && !lost.isEmpty ? String(lost) : nil
  }
}

extension ChapterDiff {
  /// The size below which text of a block is small, in both runs.
  mutating func smallText(in block: Int32) -> (old: SmallText, new: SmallText) {
    if smallTexts == nil {
      func gather(_ places: [LinePlace], _ blocks: [Int32], _ pages: [PageRecord]) -> [SmallText] {
        var lengths = [[Double: Int]](repeating: [:], count: lines.blockCount)
        for (place, block) in zip(places, blocks) {
          for run in pages[Int(place.page)].lines[Int(place.line)].runs {
            lengths[Int(block)][run.size, default: 0] += run.text.utf8.count
          }
        }
        return lengths.map { SmallText($0) }
      }
      smallTexts = (gather(lines.old, lines.oldBlock, oldPages), gather(lines.new, lines.newBlock, newPages))
    }
    guard let known = smallTexts else { return (SmallText([:]), SmallText([:])) }
    return (known.old[Int(block)], known.new[Int(block)])
  }
}

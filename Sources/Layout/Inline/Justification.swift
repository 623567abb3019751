import BoxGeneration
import CSS
import Primitives
import Shaping

/// Room to share out along a line (CSS Text 3, section 7.3): each expansion opportunity gets the same, and what does not
/// divide evenly is spread over the line.
struct Expansion {
  var mode = TextJustify.auto
  var total: Advance = 0
  var opportunities = 0

  static let none = Expansion()
  var isEmpty: Bool { total <= 0 || opportunities == 0 }

  /// What opportunity `index` of the line is widened by.
  func amount(at index: Int) -> Advance {
    guard opportunities > 0 else { return 0 }
    let count = Int64(opportunities)
    let index = Int64(index)
    return total * (index + 1) / count - total * index / count
  }

  /// Whether the gap after a cluster may be widened, given the one that follows it on the line. `auto` widens word spaces and
  /// the gaps on both sides of ideographs, and never the letters of other scripts.
  func isOpportunity(after flags: ClusterFlags, before nextIsIdeograph: Bool) -> Bool {
    switch mode {
    case .none: false
    case .interWord: !flags.isDisjoint(with: Self.spaces)
    case .auto: nextIsIdeograph && !flags.contains(.ignorable) || !flags.isDisjoint(with: Self.autoFlags)
    case .interCharacter: flags.isDisjoint(with: [.ignorable, .cursive])
    }
  }
  private static let spaces: ClusterFlags = [.wordSeparator, .space]
  private static let autoFlags: ClusterFlags = [.wordSeparator, .space, .ideographic]
}

extension LineBuilder {
  /// Numbers the expansion opportunities of the line in logical order and returns how many there are. Content before the last
  /// tab keeps its place.
  mutating func numberExpansions(_ mode: TextJustify) -> Int {
    let expansion = Expansion(mode: mode)
    let shaped = paragraph.shaped
    var count = 0
    // From the end, so that each item knows what follows it.
    var next = false
    var isLast = true
    for leaf in line.leaves.indices.reversed() {
      let index = line.leaves[leaf]
      switch line.items[index].kind {
      case .text:
        line.items[index].precedesIdeograph = next
        line.items[index].isLastContent = isLast
        isLast = false
        next = shaped.clusters[line.items[index].start].flags.contains(.ideographic)
      case .object, .tab:
        line.items[index].precedesIdeograph = next
        line.items[index].isLastContent = isLast
        isLast = false
        next = false
      default: break
      }
    }
    for (position, index) in line.leaves.enumerated() {
      line.items[index].firstExpansion = count
      switch line.items[index].kind {
      case .text:
        let item = line.items[index]
        var cluster = item.start
        while cluster < item.end {
          let isEnd = cluster == item.end - 1
          let follows = isEnd ? item.precedesIdeograph : shaped.clusters[cluster + 1].flags.contains(.ideographic)
          if !(isEnd && item.isLastContent),
            expansion.isOpportunity(after: shaped.clusters[cluster].flags, before: follows)
          {
            count += 1
          }
          cluster += 1
        }
      case .object:
        let item = line.items[index]
        if !item.isLastContent, mode == .auto, item.precedesIdeograph { count += 1 }
      case .tab:
        for earlier in line.leaves[...position] { line.items[earlier].firstExpansion = -1 }
        count = 0
      default: break
      }
    }
    return count
  }
}

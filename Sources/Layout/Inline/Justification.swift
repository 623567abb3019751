import BoxGeneration
import CSS
import Primitives
import Shaping

/// Room to share out along a line, or to save (CSS Text 3, section 7.3): each expansion opportunity gets the same, and what does not
/// divide evenly is spread over the line.
struct Expansion {
  var mode = TextJustify.auto
  var total: Advance = 0
  var opportunities = 0

  static let none = Expansion()
  var isEmpty: Bool { total == 0 || opportunities == 0 }

  /// The amount by which opportunity `index` of the line is widened.
  func amount(at index: Int) -> Advance {
    var share = ExpansionShare(self, from: index)
    return share.next()
  }

  /// The gap after the cluster may be widened, given the one that follows it on the line. `auto` widens word spaces and
  /// the gaps on both sides of ideographs, and never the letters of other scripts.
  @inline(__always)
  func isOpportunity(after flags: UInt16, before nextIsIdeograph: Bool, _ masks: ClusterMasks) -> Bool {
    switch mode {
    case .none: false
    case .interWord: flags & masks.spaces != 0
    case .auto: flags & masks.expandable != 0 || (nextIsIdeograph && flags & masks.ignorable == 0)
    case .interCharacter: flags & (masks.ignorable | masks.cursive) == 0
    }
  }

  /// For all modes but `interCharacter`: the flags of clusters after which a gap may be widened, and those before which it
  /// may be unless the cluster before is ignorable.
  @inline(__always)
  func flags(_ masks: ClusterMasks) -> (after: UInt16, before: UInt16) {
    switch mode {
    case .none, .interCharacter: (0, 0)
    case .interWord: (masks.spaces, 0)
    case .auto: (masks.expandable, masks.ideographic)
    }
  }

  /// The number of opportunities after the clusters of a range; none of them ends its item.
  func opportunities(after range: Range<Int>, of clusters: UnsafeBufferPointer<Cluster>, _ masks: ClusterMasks) -> Int {
    let (after, before) = flags(masks)
    var count = 0
    if case .interCharacter = mode {
      let forbidden = masks.ignorable | masks.cursive
      for position in range { unsafe count &+= clusters[position].flags.rawValue & forbidden == 0 ? 1 : 0 }
      return count
    }
    let ignorable = masks.ignorable
    var flags = unsafe clusters[range.lowerBound].flags.rawValue
    for position in range {
      let next = unsafe clusters[position &+ 1].flags.rawValue
      // Without a branch: what follows counts unless this one is ignorable.
      let follows = flags & ignorable == 0 ? before : 0
      count &+= flags & after | next & follows != 0 ? 1 : 0
      flags = next
    }
    return count
  }
}

/// The amounts of successive opportunities: each is the total's share up to its end less the share up to its start, in whole
/// units, without a division for each.
struct ExpansionShare {
  private let quotient: Int64
  private let remainder: Int64
  private let count: Int64
  private let sign: Int64
  /// The remainders of the opportunities before, modulo their number.
  private var carried: Int64

  init(_ expansion: Expansion, from index: Int) {
    count = Int64(Swift.max(1, expansion.opportunities))
    sign = expansion.total < 0 ? -1 : 1
    let total = expansion.opportunities > 0 ? expansion.total * sign : 0
    (quotient, remainder) = total.quotientAndRemainder(dividingBy: count)
    carried = remainder == 0 || index <= 0 ? 0 : remainder * Int64(index) % count
  }

  @inline(__always)
  mutating func next() -> Advance {
    carried += remainder
    guard carried >= count else { return sign * quotient }
    carried -= count
    return sign * (quotient + 1)
  }

  /// The amounts from the last one back.
  @inline(__always)
  mutating func previous() -> Advance {
    carried -= remainder
    guard carried < 0 else { return sign * quotient }
    carried += count
    return sign * (quotient + 1)
  }
}

extension LineBuilder {
  /// Numbers the expansion opportunities of the line in logical order and returns how many there are. Content before the last
  /// tab keeps its place.
  mutating func numberExpansions(_ mode: TextJustify) -> Int {
    let expansion = Expansion(mode: mode)
    let masks = ClusterMasks.shared
    var count = 0
    // From the end, so that each item knows what follows it.
    var next = false
    var isLast = true
    for leaf in line.leaves.indices.reversed() {
      let index = line.leaves[leaf]
      if line.items[index].isHanging { continue }
      switch line.items[index].kind {
      case .text:
        line.items[index].justification.precedesIdeograph = next
        line.items[index].justification.isLastContent = isLast
        isLast = false
        next =
          paragraph.clusters(of: line.items[index])[line.items[index].start].flags.rawValue & masks.ideographic
          != 0
      case .object, .tab:
        line.items[index].justification.precedesIdeograph = next
        line.items[index].justification.isLastContent = isLast
        isLast = false
        next = false
      default: break
      }
    }
    for (position, index) in line.leaves.enumerated() {
      line.items[index].justification.firstOpportunity = line.items[index].isHanging ? -1 : count
      if line.items[index].isHanging { continue }
      switch line.items[index].kind {
      case .text:
        let item = line.items[index]
        guard item.start < item.end else { continue }
        unsafe count += paragraph.clusters(of: item).withUnsafeBufferPointer { clusters in
          let end = unsafe clusters[item.end - 1].flags.rawValue
          let isOpportunity =
            !item.justification.isLastContent
            && expansion.isOpportunity(after: end, before: item.justification.precedesIdeograph, masks)
          return unsafe expansion.opportunities(after: item.start..<item.end - 1, of: clusters, masks)
            + (isOpportunity ? 1 : 0)
        }
      case .object:
        let item = line.items[index]
        if !item.justification.isLastContent, mode == .auto, item.justification.precedesIdeograph { count += 1 }
      case .tab:
        for earlier in line.leaves[...position] { line.items[earlier].justification.firstOpportunity = -1 }
        count = 0
      default: break
      }
    }
    return count
  }
}

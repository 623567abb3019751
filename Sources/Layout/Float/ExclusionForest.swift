import Primitives

/// The margin box of one float, and its float area where that is another one.
struct Exclusion {
  let lineLeft: LayoutUnit
  let lineRight: LayoutUnit
  let blockStart: LayoutUnit
  let blockEnd: LayoutUnit
  let isLeft: Bool
  let shape: FloatShape?

  init(_ rect: LogicalRect, isLeft: Bool, shape: FloatShape?) {
    lineLeft = rect.offset.inline
    lineRight = rect.inlineEnd
    blockStart = rect.offset.block
    blockEnd = rect.blockEnd
    self.isLeft = isLeft
    self.shape = shape
  }
}

/// The floats of a formatting context, in trees that know the extent of what they hold: those beside a line are found
/// without looking at the others. Every box is handed a copy, and adds to its own, so that trees never change: each is
/// twice as large as the one behind it, or larger, and equal ones become one.
struct ExclusionForest {
  private var trees: [Tree] = []

  private final class Tree: Sendable {
    enum Content {
      case one(Exclusion)
      case two(Tree, Tree)
    }
    let count: Int
    let blockStart: LayoutUnit
    let blockEnd: LayoutUnit
    let content: Content

    init(_ exclusion: Exclusion) {
      count = 1
      blockStart = exclusion.blockStart
      blockEnd = exclusion.blockEnd
      content = .one(exclusion)
    }
    init(_ first: Tree, _ second: Tree) {
      count = first.count + second.count
      blockStart = Swift.min(first.blockStart, second.blockStart)
      blockEnd = Swift.max(first.blockEnd, second.blockEnd)
      content = .two(first, second)
    }
  }

  var isEmpty: Bool { trees.isEmpty }

  /// - Complexity: O(1), spread over all additions; a copy takes O(log(count)).
  mutating func append(_ exclusion: Exclusion) {
    var tree = Tree(exclusion)
    while let last = trees.last, last.count == tree.count {
      tree = Tree(last, tree)
      trees.removeLast()
    }
    trees.append(tree)
  }

  /// Visits the floats that end below a place and begin above another one, in the order in which they were added.
  ///
  /// - Parameter visit: Returns the place that those must begin above which are still to be visited.
  /// - Returns: The parts of the trees that were looked at.
  /// - Complexity: O(log(count)) for each float found.
  @discardableResult
  func search(below start: LayoutUnit, above end: LayoutUnit, _ visit: (Exclusion) -> LayoutUnit) -> Int {
    var end = end
    var steps = 0
    func search(_ tree: Tree) {
      steps += 1
      guard tree.blockStart < end, tree.blockEnd > start else { return }
      switch tree.content {
      case .one(let exclusion): end = visit(exclusion)
      case .two(let first, let second):
        search(first)
        search(second)
      }
    }
    for tree in trees { search(tree) }
    return steps
  }
}

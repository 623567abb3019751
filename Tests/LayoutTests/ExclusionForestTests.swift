import Primitives
import Testing

@testable import Layout

@Suite struct ExclusionForestTests {
  private static let height = 10

  private func exclusion(from block: Int, height: Int, isLeft: Bool = true) -> Exclusion {
    Exclusion(
      LogicalRect(
        offset: LogicalOffset(inline: .zero, block: LayoutUnit(block)),
        size: LogicalSize(inline: LayoutUnit(10), block: LayoutUnit(height))), isLeft: isLeft, shape: nil)
  }

  /// Floats one below the other, beside one that is as high as all of them.
  private func column(of count: Int) -> ExclusionForest {
    var forest = ExclusionForest()
    forest.append(exclusion(from: 0, height: count * Self.height, isLeft: false))
    for number in 0..<count { forest.append(exclusion(from: number * Self.height, height: Self.height)) }
    return forest
  }

  @Test(arguments: [1000, 16_000]) func `Floats beside a line are found without looking at all others`(count: Int) {
    let forest = column(of: count)
    var (steps, found) = (0, 0)
    for number in stride(from: 0, to: count, by: count / 100) {
      let block = LayoutUnit(number * Self.height)
      let end = block + LayoutUnit(Self.height)
      steps += forest.search(below: block, above: end) { _ in
        found += 1
        return end
      }
    }
    #expect(found == 200)
    // A way down each tree, twice.
    #expect(steps < 100 * 100)
  }

  @Test func `They are visited in the order in which they were added, as far as the visitor wants`() {
    let forest = column(of: 7)
    var starts: [LayoutUnit] = []
    _ = forest.search(below: LayoutUnit(15), above: .max) { exclusion in
      starts.append(exclusion.blockStart)
      return LayoutUnit(30)
    }
    #expect(starts == [0, 10, 20].map { LayoutUnit($0) })
  }

  @Test func `A copy keeps what it has`() {
    let forest = column(of: 5)
    var copy = forest
    copy.append(exclusion(from: 100, height: 10))
    func count(_ forest: ExclusionForest) -> Int {
      var count = 0
      _ = forest.search(below: .min, above: .max) { _ in
        count += 1
        return .max
      }
      return count
    }
    #expect(count(forest) == 6 && count(copy) == 7)
  }
}

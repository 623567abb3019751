import Primitives

/// The positioned boxes that stand on later pages, or go on there. Those far off wait in the order of their places, so
/// that a page has to do with none but its own.
struct PositionedQueue: Sendable {
  /// Those that may stand on the next page, in order; their places are from the corner of its area.
  private(set) var near: [PushedPositioned] = []
  /// Those behind it by their places, which are from the corner of the area of an earlier page.
  private var far: ArraySlice<PushedPositioned> = []
  /// The block size of the areas of the pages since.
  private var passed = LayoutUnit.zero

  var isEmpty: Bool { near.isEmpty && far.isEmpty }
  var hasFar: Bool { !far.isEmpty }

  /// The place of the first box.
  var firstBlock: LayoutUnit? {
    let places = near.map(\.place.block) + (far.first.map { [$0.place.block - passed] } ?? [])
    return places.min()
  }

  /// Brings those near that stand on a page whose area is so high: in the order of the document, which they are painted
  /// in.
  mutating func begin(page blockSize: LayoutUnit) {
    let count = far.prefix { $0.place.block - passed < blockSize }.count
    guard count > 0 else { return }
    for positioned in far.prefix(count) {
      near.append(positioned)
      near[near.count - 1].place.block -= passed
    }
    near.sort { $0.box.index < $1.box.index }
    far = far.dropFirst(count)
  }

  /// Takes boxes that the page behind the next one, whose area is so high, leaves to the next one.
  mutating func raise(_ positioned: [PushedPositioned], by blockSize: LayoutUnit) {
    for var positioned in positioned {
      positioned.place.block = Swift.max(.zero, positioned.place.block + blockSize)
      near.append(positioned)
    }
    near.sort { $0.box.index < $1.box.index }
  }

  /// Goes on behind a page whose area is so high, which leaves `pushed` to the next ones.
  mutating func end(page blockSize: LayoutUnit, carrying pushed: [PushedPositioned]) {
    passed = far.isEmpty ? .zero : passed + blockSize
    near = pushed
    guard pushed.contains(where: { $0.place.block >= blockSize }) else { return }
    near.removeAll { $0.place.block >= blockSize }
    var all = Array(far)
    for var positioned in pushed where positioned.place.block >= blockSize {
      positioned.place.block += passed
      all.append(positioned)
    }
    all.sort { ($0.place.block, $0.box.index) < ($1.place.block, $1.box.index) }
    far = all[...]
  }

  /// Leaves out so much of the pages before them.
  mutating func skip(_ blockSize: LayoutUnit) {
    for index in near.indices { near[index].place.block -= blockSize }
    passed += blockSize
  }
}

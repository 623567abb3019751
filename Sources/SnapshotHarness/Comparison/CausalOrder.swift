/// The causal order of the lines of a file: each happened after those that were there when it was written, which
/// vector clocks tell.
///
/// Git joins the lines of two branches one behind the other, so their order in the file says nothing of what somebody knew who
/// wrote one. Each line names the last lines that it was written after. A line that names none, or one that is not there, was
/// written after all lines above it.
struct CausalOrder: Hashable, Sendable {
  /// A line's chain, and its place there: lines of one branch, each written after the one before, are one chain.
  private struct Place: Hashable {
    var chain: Int
    var index: Int
  }

  private var places: [Place] = []
  /// By line: how many lines of each chain it was written after.
  private var known: [[Int]] = []
  private var lengths: [Int] = []
  private var numbers: [String: Int] = [:]
  private var names: [String] = []
  /// Lines that no other was written after.
  private var open: [Int] = []

  /// The names in a line written now: those of the lines that no other was written after.
  var heads: [String] { open.map { names[$0] } }

  /// Adds a line. Takes time in the number of branches.
  mutating func append(_ name: String, after: [String]?) {
    let named = after?.map { numbers[$0] } ?? [nil]
    let parents = named.contains(nil) ? open : named.compactMap { $0 }
    var before = [Int](repeating: 0, count: lengths.count)
    for parent in parents {
      for (chain, count) in known[parent].enumerated() { before[chain] = max(before[chain], count) }
      before[places[parent].chain] = max(before[places[parent].chain], places[parent].index + 1)
    }
    let number = places.count
    if let parent = parents.first(where: { places[$0].index + 1 == lengths[places[$0].chain] }) {
      places.append(Place(chain: places[parent].chain, index: places[parent].index + 1))
    } else {
      places.append(Place(chain: lengths.count, index: 0))
      lengths.append(0)
    }
    lengths[places[number].chain] += 1
    known.append(before)
    numbers[name] = number
    names.append(name)
    open.removeAll { parents.contains($0) }
    open.append(number)
  }

  /// A line was there when another was written.
  func isBefore(_ line: Int, _ other: Int) -> Bool {
    let place = places[line]
    return place.chain < known[other].count && place.index < known[other][place.chain]
  }
}

/// Makes the tables of a `PatternTrie` from the patterns of a file.
///
/// Files have tens of thousands of patterns, and a book's first page waits for them: the tables have room for all that a
/// file can ask for from the start (memory that nothing is written to is never given by the system).
@safe final class PatternTrieBuilder {
  private typealias Edge = PatternTrie.Edge
  private typealias State = PatternTrie.State

  private var edges: UnsafeMutableBufferPointer<Edge>
  /// The slots of the edges that reach states, by state. The root is the first, which none reaches.
  private let slots: UnsafeMutableBufferPointer<UInt32>
  private var stateCount = 1
  private let tails: UnsafeMutableBufferPointer<UInt16>
  private var tailCount = 0
  private let numbers: UnsafeMutableBufferPointer<UInt8>
  private var numberCount = 1
  private var firstLetters = LetterSet()
  private var replacements: [UInt32: PatternTrie.Replacement] = [:]

  /// The states on the way to the pattern added last, from the root, and the letters between them: files are sorted, so
  /// that the next pattern mostly begins as it did.
  private let path: UnsafeMutableBufferPointer<UInt64>
  private let pathLetters: UnsafeMutableBufferPointer<UInt16>
  private var pathLength = 0

  /// - Parameter size: How many letters and numbers the patterns have at most, and an end of line for each of them.
  init(size: Int) {
    // Patterns take ten characters for each state or more.
    unsafe edges = Self.emptyEdges(1 << max(6, Int.bitWidth - (size / 8).leadingZeroBitCount))
    // Each letter makes one state at most; a pattern with a number has one for each letter, another and their count.
    unsafe slots = .allocate(capacity: size + 1)
    unsafe slots[0] = 0
    unsafe tails = .allocate(capacity: size)
    unsafe numbers = .allocate(capacity: size + 1)
    unsafe numbers[0] = 0
    unsafe path = .allocate(capacity: PatternTrie.longestPattern + 1)
    unsafe path[0] = 0
    unsafe pathLetters = .allocate(capacity: PatternTrie.longestPattern)
  }

  deinit {
    unsafe edges.deallocate()
    unsafe slots.deallocate()
    unsafe tails.deallocate()
    unsafe numbers.deallocate()
    unsafe path.deallocate()
    unsafe pathLetters.deallocate()
  }

  private static func emptyEdges(_ count: Int) -> UnsafeMutableBufferPointer<Edge> {
    let edges = UnsafeMutableBufferPointer<Edge>.allocate(capacity: count)
    unsafe edges.initialize(repeating: Edge())
    return unsafe edges
  }

  /// Adds a pattern, or gives a known one other numbers. There is no room for more than the trie was made for.
  ///
  /// - Parameter values: The number before each letter and the one after the last.
  func insert(
    letters: UnsafeBufferPointer<UInt16>, values: UnsafeBufferPointer<UInt8>,
    replacement: PatternTrie.Replacement? = nil
  ) {
    guard !letters.isEmpty, letters.count <= PatternTrie.longestPattern,
      unsafe tailCount + letters.count <= tails.count,
      unsafe stateCount + letters.count <= slots.count
    else { return }
    unsafe firstLetters.insert(letters[0])
    let state = unsafe state(of: letters)
    var zeros = 0
    while zeros < values.count, unsafe values[zeros] == 0 { zeros += 1 }
    let count = values.count - zeros
    guard count > 0, unsafe numberCount + 1 + count <= numbers.count else {
      unsafe edges[Int(slots[state])].state.pattern = 0
      return
    }
    let pattern = numberCount
    unsafe edges[Int(slots[state])].state.pattern = UInt32(pattern)
    unsafe numbers[pattern] = UInt8(count) | (replacement == nil ? 0 : PatternTrie.isReplacing)
    for index in 0..<count { unsafe numbers[pattern + 1 + index] = values[zeros + index] }
    numberCount += 1 + count
    if let replacement { replacements[UInt32(pattern)] = replacement }
  }

  /// The state that stands for these letters, made if need be.
  private func state(of letters: UnsafeBufferPointer<UInt16>) -> Int {
    var index = 0
    let shared = min(letters.count, pathLength)
    while index < shared, unsafe letters[index] == pathLetters[index] { index += 1 }
    var state = unsafe path[index]
    while true {
      pathLength = index
      let known = state == 0 ? State() : unsafe edges[Int(slots[Int(state)])].state
      let tail = known.tail
      if tail & 0x7F != 0 {
        // Another pattern comes this way: the tail's first letter becomes an edge.
        let next = State(tail: tail + (1 << 7) - 1, pattern: known.pattern)
        unsafe edges[Int(slots[Int(state)])].state = State()
        let key = unsafe state << 16 | UInt64(tails[Int(tail >> 7)])
        addEdge(key, to: next, in: slot(of: key))
      }
      guard index < letters.count else { return Int(state) }
      let key = unsafe state << 16 | UInt64(letters[index])
      unsafe pathLetters[index] = letters[index]
      index += 1
      let slot = slot(of: key)
      let edge = unsafe edges[slot].path
      guard edge == 0 else {
        state = edge & 0xFF_FFFF
        unsafe path[index] = state
        continue
      }
      let rest = letters.count - index
      addEdge(key, to: State(tail: UInt32(tailCount << 7 | rest)), in: slot)
      for letter in 0..<rest { unsafe tails[tailCount + letter] = letters[index + letter] }
      tailCount += rest
      unsafe path[index] = UInt64(stateCount - 1)
      pathLength = index
      return stateCount - 1
    }
  }

  /// - Parameter slot: That of the key, which is empty.
  private func addEdge(_ key: UInt64, to next: State, in slot: Int) {
    unsafe edges[slot] = Edge(path: key << 24 | UInt64(stateCount), state: next)
    unsafe slots[stateCount] = UInt32(slot)
    stateCount += 1
    guard unsafe stateCount > edges.count / 4 * 3 else { return }
    let old = unsafe edges
    unsafe edges = Self.emptyEdges(old.count * 2)
    for index in old.indices where unsafe old[index].path != 0 {
      let slot = unsafe self.slot(of: old[index].path >> 24)
      unsafe edges[slot] = old[index]
      unsafe slots[Int(old[index].path & 0xFF_FFFF)] = UInt32(slot)
    }
    unsafe old.deallocate()
  }

  private func slot(of key: UInt64) -> Int { unsafe PatternTrie.slot(of: key, in: UnsafeBufferPointer(edges)) }

  // MARK: Bytes

  /// Appends the tables to an index, in the order in which it reads them.
  func write(to index: inout PatternIndexWriter) {
    index.append([firstLetters.bits])
    unsafe index.append(UnsafeBufferPointer(edges))
    unsafe index.append(UnsafeBufferPointer(rebasing: tails[..<tailCount]))
    unsafe index.append(UnsafeBufferPointer(rebasing: numbers[..<numberCount]))
    let sorted = replacements.sorted { $0.key < $1.key }
    index.append(
      sorted.map { pattern, replacement in
        PatternIndex.Replacement(
          pattern: pattern, distanceFromEnd: Int32(replacement.distanceFromEnd), length: Int32(replacement.length),
          letterCount: replacement.beforeHyphen.map { Int32($0.count) } ?? -1)
      })
    index.append(sorted.flatMap { $0.value.beforeHyphen ?? [] })
  }
}

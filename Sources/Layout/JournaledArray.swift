/// A state of a `JournaledArray` to go back to.
struct JournalMark {
  fileprivate let elements: UInt32
  fileprivate let changes: UInt32
  /// Elements that there were.
  var count: Int { Int(elements) }
}

/// An array that can go back to what it was: additions are cut off, and what a change replaced is kept.
struct JournaledArray<Element> {
  private(set) var elements: [Element] = []
  /// Elements that changes replaced, in order.
  private var journal: [(index: UInt32, old: Element)] = []
  /// Elements that are older than the last mark: only these are kept when they change.
  private var marked = 0
  /// Room for a few more elements than a page of the flow had last, which mostly holds as much as the one before.
  private var room = 0

  var count: Int { elements.count }

  @inline(__always)
  subscript(index: Int) -> Element { elements[index] }

  mutating func append(_ element: Element) { elements.append(element) }
  mutating func append(contentsOf new: some Collection<Element>) { elements.append(contentsOf: new) }

  @inline(__always)
  mutating func change(_ index: Int, _ change: (inout Element) -> Void) {
    keep(index)
    change(&elements[index])
  }
  /// Keeps an element as it is for the marks that are younger than it.
  @inline(__always)
  mutating func keep(_ index: Int) {
    if index < marked { journal.append((UInt32(truncatingIfNeeded: index), elements[index])) }
  }
  /// Changes elements that have been kept.
  @inline(__always)
  mutating func withKept(_ change: (UnsafeMutableBufferPointer<Element>) -> Void) {
    unsafe elements.withUnsafeMutableBufferPointer { unsafe change($0) }
  }

  /// Puts others in the place of the last element.
  mutating func replaceLast(by new: (Element) -> [Element]) {
    let new = new(elements[elements.count - 1])
    guard let first = new.first else { return }
    change(elements.count - 1) { $0 = first }
    elements += new.dropFirst()
  }

  /// Forgets all elements and marks.
  ///
  /// - Parameters:
  ///   - endsPage: The elements were those of a page of the flow: the next one is given the room for as many.
  ///   - beginsPage: The next ones are.
  mutating func removeAll(endsPage: Bool, beginsPage: Bool) {
    if endsPage { room = elements.count + elements.count / 8 }
    let needed = beginsPage ? room : 0
    if !elements.isEmpty || elements.capacity < needed {
      elements = []
      elements.reserveCapacity(needed)
    }
    journal.removeAll(keepingCapacity: true)
    marked = 0
  }

  // MARK: Marks

  /// Marks the state of now.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func mark() -> JournalMark {
    marked = elements.count
    return JournalMark(
      elements: UInt32(truncatingIfNeeded: marked), changes: UInt32(truncatingIfNeeded: journal.count))
  }

  /// Forgets what was done since a mark, which stays valid; later ones do not.
  ///
  /// - Complexity: O(what was done).
  @inline(__always)
  mutating func rollBack(to mark: JournalMark) {
    marked = mark.count
    if journal.count != Int(mark.changes) || elements.count != mark.count { unwind(to: mark) }
  }

  private mutating func unwind(to mark: JournalMark) {
    while journal.count > Int(mark.changes) {
      let (index, old) = journal.removeLast()
      elements[Int(index)] = old
    }
    let added = elements.count - mark.count
    if added > 0 { elements.removeLast(added) }
  }
}

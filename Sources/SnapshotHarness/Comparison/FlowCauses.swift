/// The causes of the distances that changed in a unit (4.3): many distances between many kinds of blocks have few causes.
///
/// Distances that changed alike have one cause, and the kind of block that most of them lie at names it. Others belong to it
/// when it explains them: margins collapse and cells are centred, so that less than the whole change is seen, and empty
/// blocks lie between two lines, so that it is seen several times.
struct FlowCauses {
  struct Cause: Hashable {
    /// Normalised, in 1/64 px.
    var delta: Int32
    var isLineSpacing: Bool
    var element: ElementKind
    var variant: ChangeKey.Variant

    /// A distance that changed is due to the cause.
    func explains(_ event: ChapterDiff.FlowEvent) -> Bool {
      let own = ChangeTable.normalized(event.delta)
      if own == delta, isLineSpacing == (event.variant == .lineSpacing) { return true }
      // Rounding may make changes that small.
      if abs(event.delta) < 0.1 { return abs(delta) > 8 }
      guard isLineSpacing == (event.variant == .lineSpacing), (own > 0) == (delta > 0) else { return false }
      guard event.element == element || event.before == element || event.element == .table || event.before == .table
      else { return false }
      return abs(own) <= abs(delta) || own % delta == 0 && own / delta <= Self.maximumMultiple
    }

    private static let maximumMultiple: Int32 = 8
  }

  /// The weightiest first.
  private(set) var causes: [Cause] = []

  private static let maximumCauses = 16
  /// So few distances, each less than half a pixel or at the top of a page that other lines came to, are what a cause left:
  /// rounding, or empty blocks that went from the end of one page to the next.
  private static let maximumTraces = 2

  init(_ events: [ChapterDiff.FlowEvent]) {
    struct Kind: Hashable {
      var delta: Int32
      var isLineSpacing: Bool
      init(_ event: ChapterDiff.FlowEvent) {
        delta = ChangeTable.normalized(event.delta)
        isLineSpacing = event.variant == .lineSpacing
      }
    }
    var left = events
    while !left.isEmpty, causes.count < Self.maximumCauses {
      var counts: [Kind: Int] = [:]
      for event in left { counts[Kind(event), default: 0] += 1 }
      var main = Kind(left[0])
      for event in left where counts[Kind(event)]! > counts[main]! { main = Kind(event) }
      if !causes.isEmpty, counts[main]! <= Self.maximumTraces,
        left.allSatisfy({ Kind($0) != main || $0.isAfterFlow || abs($0.delta) < 0.5 })
      {
        left.removeAll { Kind($0) == main }
        continue
      }
      // The kind of block that most of these distances lie at.
      var elements: [ElementKind: Int] = [:]
      var hasGap = false
      for event in left where Kind(event) == main {
        elements[event.element, default: 0] += 1
        if let before = event.before, before != event.element { elements[before, default: 0] += 1 }
        if event.variant == .gap { hasGap = true }
      }
      // A change that makes a table grow pushes whatever comes after it.
      let isOfTables = left.allSatisfy { Kind($0) != main || $0.element == .table || $0.before == .table }
      let element =
        isOfTables
        ? .table : ElementKind.allCases.max { elements[$0, default: 0] < elements[$1, default: 0] } ?? .text
      let cause = Cause(
        delta: main.delta, isLineSpacing: main.isLineSpacing, element: element,
        variant: main.isLineSpacing ? .lineSpacing : hasGap ? .gap : .top)
      causes.append(cause)
      left.removeAll { cause.explains($0) }
    }
  }

  /// The weightiest cause that explains a distance.
  func cause(of event: ChapterDiff.FlowEvent) -> Cause? { causes.first { $0.explains(event) } }
}

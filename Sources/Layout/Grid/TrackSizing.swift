import CSS
import Primitives

/// A row or column with its size on the way to being found.
struct GridTrack {
  var size: TrackSize
  /// An empty track of `repeat(auto-fit)`, without a gap of its own.
  var isCollapsed = false
  var base = LayoutUnit.zero
  /// `.max` is infinite.
  var limit = LayoutUnit.max
  /// From the grid's content edge, once aligned.
  var start = LayoutUnit.zero
  var end: LayoutUnit { start + base }
  var baselines = SharedBaselines()

  /// Its size does not depend on what stands in it.
  var hasFixedSize: Bool {
    if case .length = size.minimum, case .length = size.maximum { true } else { false }
  }
  var flex: Float { if case .fraction(let factor) = size.maximum, !isCollapsed { factor } else { 0 } }
}

extension [GridTrack] {
  /// Gives the tracks of a subgrid the sizes and places that the grid around has found.
  mutating func take(_ places: [SubgridAxis.Place]) {
    for (index, place) in zip(indices, places) {
      self[index].base = place.size
      self[index].limit = place.size
      self[index].start = place.start
      self[index].baselines = place.baselines
    }
  }
}

/// The contribution of an item to the tracks it spans, margins included.
struct TrackContribution {
  var tracks: Range<Int>
  /// The least it can be: its automatic minimum size applied.
  var minimum: LayoutUnit
  var minContent: LayoutUnit
  var maxContent: LayoutUnit
}

/// The track sizing algorithm (CSS Grid 1, section 11).
struct TrackSizing {
  enum Space {
    case definite(LayoutUnit)
    case minContent, maxContent
    var definite: LayoutUnit? { if case .definite(let size) = self { size } else { nil } }
  }

  var tracks: [GridTrack]
  let gap: LayoutUnit
  let space: Space
  /// Resolves a length against the available space; nil for percentages of an indefinite one.
  let length: (LengthPercentage) -> LayoutUnit?

  init(
    _ tracks: [GridTrack], gap: LayoutUnit, space: Space, length: @escaping (LengthPercentage) -> LayoutUnit?
  ) {
    self.tracks = tracks
    self.gap = gap
    self.space = space
    self.length = length
  }

  private func gaps(in range: Range<Int>) -> LayoutUnit {
    let open = range.reduce(0) { $0 + (tracks[$1].isCollapsed ? 0 : 1) }
    return gap * max(0, open - 1)
  }
  private func bases(in range: Range<Int>) -> LayoutUnit {
    range.reduce(gaps(in: range)) { $0 + tracks[$1].base }
  }
  var total: LayoutUnit { bases(in: 0..<tracks.count) }

  mutating func run(_ contributions: [TrackContribution], stretches: Bool) {
    initialize()
    resolveIntrinsicSizes(contributions)
    maximize()
    expandFlexibleTracks(contributions)
    if stretches, case .definite(let size) = space {
      let automatic = tracks.indices.filter { tracks[$0].size.maximum == .auto && !tracks[$0].isCollapsed }
      let free = size - total
      if free > .zero, !automatic.isEmpty { share(free, among: automatic) { _ in .max } }
    }
  }

  /// A breadth with percentages of nothing as `auto`.
  private func definite(_ breadth: TrackBreadth) -> LayoutUnit? {
    if case .length(let value) = breadth { return length(value) }
    return nil
  }
  private func isIntrinsic(_ breadth: TrackBreadth) -> Bool {
    switch breadth {
    case .auto, .minContent, .maxContent: true
    case .length(let value): length(value) == nil
    case .fraction: false
    }
  }

  private mutating func initialize() {
    for index in tracks.indices {
      if tracks[index].isCollapsed {
        tracks[index].base = .zero
        tracks[index].limit = .zero
        continue
      }
      tracks[index].base = definite(tracks[index].size.minimum) ?? .zero
      tracks[index].limit = definite(tracks[index].size.maximum).map { max($0, tracks[index].base) } ?? .max
    }
  }

  private mutating func resolveIntrinsicSizes(_ contributions: [TrackContribution]) {
    // Items of more tracks come later; those over flexible tracks last.
    let isOver = contributions.map { item in item.tracks.contains { tracks[$0].flex > 0 } }
    let order = contributions.indices.sorted { a, b in
      (isOver[a] ? 1 : 0, contributions[a].tracks.count, a) < (isOver[b] ? 1 : 0, contributions[b].tracks.count, b)
    }
    for at in order {
      let item = contributions[at]
      let isFlexible = isOver[at]
      let open = item.tracks.filter { !tracks[$0].isCollapsed && (!isFlexible || tracks[$0].flex > 0) }
      let isMaxContent = if case .maxContent = space { true } else { false }
      func grows(_ wanted: LayoutUnit, _ which: (GridTrack) -> Bool) -> [Int]? {
        let found = open.filter { which(tracks[$0]) }
        return found.isEmpty || wanted <= bases(in: item.tracks) ? nil : found
      }
      if let found = grows(item.minimum, { isIntrinsic($0.size.minimum) }) {
        growBases(found, by: item.minimum - bases(in: item.tracks))
      }
      if let found = grows(item.minContent, { $0.size.minimum == .minContent || $0.size.minimum == .maxContent }) {
        growBases(found, by: item.minContent - bases(in: item.tracks))
      }
      if let found = grows(
        item.maxContent,
        {
          $0.size.minimum == .maxContent || isMaxContent && $0.size.minimum == .auto && $0.flex == 0 && $0.limit == .max
        })
      {
        growBases(found, by: item.maxContent - bases(in: item.tracks))
      }
      guard !isFlexible else { continue }
      growLimits(open.filter { isIntrinsic(tracks[$0].size.maximum) }, of: item.tracks, to: item.minContent)
      growLimits(
        open.filter { isIntrinsic(tracks[$0].size.maximum) && tracks[$0].size.maximum != .minContent },
        of: item.tracks, to: item.maxContent)
    }
    for index in tracks.indices where tracks[index].limit == .max { tracks[index].limit = tracks[index].base }
  }

  /// Adds `extra` evenly, to the limits first and beyond them where content asks for it.
  private mutating func growBases(_ indices: [Int], by extra: LayoutUnit) {
    let rest = share(extra, among: indices) { $0.limit }
    if rest > .zero {
      let intrinsic = indices.filter { isIntrinsic(tracks[$0].size.maximum) }
      _ = share(rest, among: intrinsic.isEmpty ? indices : intrinsic) { _ in .max }
    }
    for index in indices { tracks[index].limit = max(tracks[index].limit, tracks[index].base) }
  }

  private mutating func growLimits(_ indices: [Int], of range: Range<Int>, to wanted: LayoutUnit) {
    guard !indices.isEmpty else { return }
    func current(_ index: Int) -> LayoutUnit { tracks[index].limit == .max ? tracks[index].base : tracks[index].limit }
    var extra = wanted - gaps(in: range) - range.reduce(.zero) { $0 + current($1) }
    for (done, index) in indices.enumerated() {
      let share = max(.zero, extra) / (indices.count - done)
      extra -= share
      var limit = current(index) + share
      if let cap = tracks[index].size.limit.flatMap({ length($0) }) { limit = min(limit, max(cap, tracks[index].base)) }
      tracks[index].limit = max(limit, tracks[index].base)
    }
  }

  /// Adds `extra` evenly to bases up to a cap each; returns what is left.
  @discardableResult
  private mutating func share(_ extra: LayoutUnit, among indices: [Int], cap: (GridTrack) -> LayoutUnit) -> LayoutUnit {
    var extra = extra
    var open = indices
    while extra > .zero, !open.isEmpty {
      let part = max(.epsilon, extra / open.count)
      var next: [Int] = []
      for index in open where extra > .zero {
        let room = cap(tracks[index]) - tracks[index].base
        let added = min(extra, min(part, max(.zero, room)))
        tracks[index].base += added
        extra -= added
        if room > added { next.append(index) }
      }
      if next.count == open.count, extra < LayoutUnit(rawValue: Int32(clamping: open.count)) {
        // Less than a unit each is left.
        for index in open where extra > .zero {
          tracks[index].base += .epsilon
          extra -= .epsilon
        }
        break
      }
      open = next
    }
    return max(.zero, extra)
  }

  private mutating func maximize() {
    switch space {
    case .minContent: return
    case .maxContent:
      for index in tracks.indices where tracks[index].flex == 0 { tracks[index].base = tracks[index].limit }
    case .definite(let size):
      let free = size - total
      if free > .zero { share(free, among: tracks.indices.filter { tracks[$0].flex == 0 }) { $0.limit } }
    }
  }

  private mutating func expandFlexibleTracks(_ contributions: [TrackContribution]) {
    var flexible = tracks.indices.filter { tracks[$0].flex > 0 }
    guard !flexible.isEmpty else { return }
    var unit = 0.0
    switch space {
    case .minContent: return
    case .definite(let size):
      // Tracks that their content makes larger than their share are taken out (section 11.7.1).
      let gaps = gaps(in: 0..<tracks.count)
      let bases = tracks.reduce(LayoutUnit.zero) { $0 + $1.base }
      for _ in 0..<32 {
        let rigid = gaps + bases - flexible.reduce(.zero) { $0 + tracks[$1].base }
        let factors = flexible.reduce(0.0) { $0 + Double(tracks[$1].flex) }
        unit = max(0, (size - rigid).pixels) / max(1, factors)
        let remaining = flexible.filter { tracks[$0].base.pixels <= unit * Double(tracks[$0].flex) }
        if remaining.count == flexible.count || remaining.isEmpty { break }
        flexible = remaining
      }
    case .maxContent:
      for index in flexible { unit = max(unit, tracks[index].base.pixels / max(1, Double(tracks[index].flex))) }
      for item in contributions {
        let own = item.tracks.filter { tracks[$0].flex > 0 }
        guard !own.isEmpty else { continue }
        let rigid = item.tracks.reduce(gaps(in: item.tracks)) { $0 + (tracks[$1].flex > 0 ? .zero : tracks[$1].base) }
        let factors = own.reduce(0.0) { $0 + Double(tracks[$1].flex) }
        unit = max(unit, (item.maxContent - rigid).pixels / max(1, factors))
      }
    }
    for index in flexible {
      tracks[index].base = max(tracks[index].base, LayoutUnit(unit * Double(tracks[index].flex)))
    }
  }
}

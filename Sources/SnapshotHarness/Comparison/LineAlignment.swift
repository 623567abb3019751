/// The place of a line: a position in the compared pages of its chapter, and in that page's lines.
struct LinePlace {
  var page: Int32
  var line: Int32
}

/// The lines of one chapter in two runs, aligned on the places of the document they come from (4.1): an inserted line shifts
/// nothing.
///
/// Lines of the same block and the same offsets are partners. Lines that overlap but begin or end at other offsets form a
/// region, which ends where both runs break again at one place. All work is linear in the number of lines, apart from sorting
/// where a block's lines are out of order.
struct LineAlignment {
  static let none: Int32 = -1

  /// Lines in reading order.
  private(set) var old: [LinePlace] = []
  private(set) var new: [LinePlace] = []
  /// By line: the block it belongs to. Numbers are common to both runs.
  private(set) var oldBlock: [Int32] = []
  private(set) var newBlock: [Int32] = []
  private(set) var blockCount = 0
  /// By CFI steps of a block: its number.
  private(set) var blocks: [String: Int32] = [:]
  /// By line: its partner in the other run.
  private(set) var oldPartner: [Int32] = []
  private(set) var newPartner: [Int32] = []
  /// By line: the region it belongs to.
  private(set) var oldRegion: [Int32] = []
  private(set) var newRegion: [Int32] = []
  private(set) var regions: [Region] = []
  /// By line: whether it repeats a line that has a partner, as the head of a table does on each page.
  private(set) var oldRepeats: [Bool] = []
  private(set) var newRepeats: [Bool] = []
  /// Partners that were found by their text, since their places differ.
  private(set) var relocated: [Int32] = []

  /// The same text broken otherwise.
  struct Region {
    var old: [Int32]
    var new: [Int32]
  }

  init(old oldPages: [PageRecord], new newPages: [PageRecord]) {
    (old, oldBlock) = Self.places(of: oldPages, &blocks)
    (new, newBlock) = Self.places(of: newPages, &blocks)
    blockCount = blocks.count
    oldPartner = [Int32](repeating: Self.none, count: old.count)
    newPartner = [Int32](repeating: Self.none, count: new.count)
    oldRegion = oldPartner
    newRegion = newPartner
    oldRepeats = [Bool](repeating: false, count: old.count)
    newRepeats = [Bool](repeating: false, count: new.count)

    let oldSources = Self.sources(old, oldPages)
    let newSources = Self.sources(new, newPages)
    let oldLists = Self.lists(oldBlock, oldSources, count: blockCount)
    let newLists = Self.lists(newBlock, newSources, count: blockCount)
    for block in 0..<blockCount {
      align(
        oldLists.lines[oldLists.starts[block]..<oldLists.starts[block + 1]],
        newLists.lines[newLists.starts[block]..<newLists.starts[block + 1]], oldSources, newSources)
    }
    alignRest(oldPages, newPages)
  }

  private static func places(
    of pages: [PageRecord], _ blocks: inout [String: Int32]
  ) -> (places: [LinePlace], blocks: [Int32]) {
    var places: [LinePlace] = []
    var result: [Int32] = []
    var last = ""
    var lastBlock: Int32 = none
    for (page, record) in pages.enumerated() {
      for line in record.lines.indices {
        places.append(LinePlace(page: Int32(page), line: Int32(line)))
        let node = record.lines[line].source.node
        if lastBlock == none || node != last {
          last = node
          if let known = blocks[node] {
            lastBlock = known
          } else {
            lastBlock = Int32(blocks.count)
            blocks[node] = lastBlock
          }
        }
        result.append(lastBlock)
      }
    }
    return (places, result)
  }

  private static func sources(_ places: [LinePlace], _ pages: [PageRecord]) -> [(start: Int, end: Int)] {
    places.map { place in
      let source = pages[Int(place.page)].lines[Int(place.line)].source
      return (source.start, max(source.start, source.end))
    }
  }

  /// The lines of each block, sorted by their places in it.
  private static func lists(
    _ blocks: [Int32], _ sources: [(start: Int, end: Int)], count: Int
  ) -> (starts: [Int], lines: [Int32]) {
    var starts = [Int](repeating: 0, count: count + 1)
    for block in blocks { starts[Int(block) + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    var lines = [Int32](repeating: 0, count: blocks.count)
    for (line, block) in blocks.enumerated() {
      lines[next[Int(block)]] = Int32(line)
      next[Int(block)] += 1
    }
    for block in 0..<count {
      let range = starts[block]..<starts[block + 1]
      func isBefore(_ a: Int32, _ b: Int32) -> Bool {
        let (left, right) = (sources[Int(a)], sources[Int(b)])
        return left.start != right.start
          ? left.start < right.start : left.end != right.end ? left.end < right.end : a < b
      }
      if !zip(lines[range], lines[range].dropFirst()).allSatisfy(isBefore) { lines[range].sort(by: isBefore) }
    }
    return (starts, lines)
  }

  private mutating func align(
    _ oldLines: ArraySlice<Int32>, _ newLines: ArraySlice<Int32>, _ oldSources: [(start: Int, end: Int)],
    _ newSources: [(start: Int, end: Int)]
  ) {
    var i = oldLines.startIndex
    var j = newLines.startIndex
    var last: (start: Int, end: Int)? = nil
    while i < oldLines.endIndex, j < newLines.endIndex {
      let a = oldSources[Int(oldLines[i])]
      let b = newSources[Int(newLines[j])]
      if a == b {
        oldPartner[Int(oldLines[i])] = newLines[j]
        newPartner[Int(newLines[j])] = oldLines[i]
        last = a
        i += 1
        j += 1
      } else if let last, a == last {
        oldRepeats[Int(oldLines[i])] = true
        i += 1
      } else if let last, b == last {
        newRepeats[Int(newLines[j])] = true
        j += 1
      } else if a.end <= b.start {
        i += 1
      } else if b.end <= a.start {
        j += 1
      } else {
        let first = (i, j)
        var oldEnd = a.end
        var newEnd = b.end
        i += 1
        j += 1
        while oldEnd != newEnd {
          if oldEnd < newEnd, i < oldLines.endIndex, oldSources[Int(oldLines[i])].start < newEnd {
            oldEnd = max(oldEnd, oldSources[Int(oldLines[i])].end)
            i += 1
          } else if newEnd < oldEnd, j < newLines.endIndex, newSources[Int(newLines[j])].start < oldEnd {
            newEnd = max(newEnd, newSources[Int(newLines[j])].end)
            j += 1
          } else {
            break
          }
        }
        let region = Region(old: Array(oldLines[first.0..<i]), new: Array(newLines[first.1..<j]))
        for line in region.old { oldRegion[Int(line)] = Int32(regions.count) }
        for line in region.new { newRegion[Int(line)] = Int32(regions.count) }
        regions.append(region)
        last = nil
      }
    }
    if let last {
      while i < oldLines.endIndex, oldSources[Int(oldLines[i])] == last {
        oldRepeats[Int(oldLines[i])] = true
        i += 1
      }
      while j < newLines.endIndex, newSources[Int(newLines[j])] == last {
        newRepeats[Int(newLines[j])] = true
        j += 1
      }
    }
  }

  /// Lines without a counterpart at their place are looked for by their text: an engine that counts the document's nodes
  /// otherwise has not lost any.
  private mutating func alignRest(_ oldPages: [PageRecord], _ newPages: [PageRecord]) {
    var waiting: [String: [Int32]] = [:]
    for line in old.indices.reversed()
    where oldPartner[line] == Self.none && oldRegion[line] == Self.none && !oldRepeats[line] {
      let text = oldPages[Int(old[line].page)].lines[Int(old[line].line)].text
      if !text.isEmpty { waiting[text, default: []].append(Int32(line)) }
    }
    if waiting.isEmpty { return }
    for line in new.indices where newPartner[line] == Self.none && newRegion[line] == Self.none && !newRepeats[line] {
      let text = newPages[Int(new[line].page)].lines[Int(new[line].line)].text
      guard let partner = waiting[text]?.popLast() else { continue }
      newPartner[line] = partner
      oldPartner[Int(partner)] = Int32(line)
      relocated.append(Int32(line))
    }
  }
}

/// Pages of a chapter side by side: in order, each with the page that shares most lines with it.
struct PageAlignment {
  /// A pair of pages, or a page without a counterpart. Positions in the compared pages of the chapter.
  struct Slot: Hashable {
    var old: Int?
    var new: Int?
  }

  private(set) var slots: [Slot] = []
  /// By page: its slot.
  private(set) var slotOfOld: [Int]
  private(set) var slotOfNew: [Int]

  init(_ lines: LineAlignment, oldCount: Int, newCount: Int) {
    // A vote of the lines; those of a region count for the page of its first line.
    var partner = [Int](repeating: -1, count: newCount)
    var votes = [Int](repeating: 0, count: newCount)
    var line = 0
    var last = -1
    var owner = -1
    while line < lines.new.count {
      let page = lines.new[line].page
      var counts: [(page: Int, count: Int)] = []
      while line < lines.new.count, lines.new[line].page == page {
        var other = lines.newPartner[line]
        if other == LineAlignment.none, lines.newRegion[line] != LineAlignment.none {
          other = lines.regions[Int(lines.newRegion[line])].old.first ?? LineAlignment.none
        }
        if other != LineAlignment.none {
          let found = Int(lines.old[Int(other)].page)
          if let index = counts.lastIndex(where: { $0.page == found }) {
            counts[index].count += 1
          } else if counts.count < 8 {
            counts.append((found, 1))
          }
        }
        line += 1
      }
      // A page that the page before has taken is left to the one of the two that holds more of it.
      for candidate in counts.sorted(by: { ($0.count, $1.page) > ($1.count, $0.page) }) where candidate.page >= last {
        if candidate.page == last {
          guard owner >= 0, votes[owner] < candidate.count else { continue }
          partner[owner] = -1
        }
        owner = Int(page)
        partner[Int(page)] = candidate.page
        votes[Int(page)] = candidate.count
        last = candidate.page
        break
      }
    }
    // Pages without lines stand between their neighbours.
    var limits = [Int](repeating: oldCount, count: newCount + 1)
    for page in (0..<newCount).reversed() { limits[page] = partner[page] >= 0 ? partner[page] : limits[page + 1] }
    var nextOld = 0
    for page in 0..<newCount {
      if partner[page] >= 0 {
        nextOld = partner[page] + 1
      } else if nextOld < limits[page] {
        partner[page] = nextOld
        nextOld += 1
      }
    }
    slotOfOld = [Int](repeating: 0, count: oldCount)
    slotOfNew = [Int](repeating: 0, count: newCount)
    var old = 0
    for page in 0..<newCount {
      if partner[page] >= 0 {
        while old < partner[page] {
          add(Slot(old: old, new: nil))
          old += 1
        }
        old = partner[page] + 1
      }
      add(Slot(old: partner[page] >= 0 ? partner[page] : nil, new: page))
    }
    while old < oldCount {
      add(Slot(old: old, new: nil))
      old += 1
    }
  }

  private mutating func add(_ slot: Slot) {
    if let old = slot.old { slotOfOld[old] = slots.count }
    if let new = slot.new { slotOfNew[new] = slots.count }
    slots.append(slot)
  }
}

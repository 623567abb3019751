import Primitives

/// Gathers equal changes of all units into clusters (5).
package enum Clustering {
  /// The clusters of a run's units: severe ones first and improvements last, then by pages, severity, books and kind.
  package static func clusters(of units: [UnitComparison]) -> [Cluster] {
    var found: [Gathering] = []
    var positions: [String: Int] = [:]
    func take(_ change: Change, _ member: ClusterMember, _ unit: UnitComparison, _ consequences: Int) {
      let position: Int
      if let known = positions[change.signature] {
        position = known
      } else {
        position = found.count
        positions[change.signature] = position
        found.append(
          Gathering(
            cluster: Cluster(
              id: id(of: change.signature), signature: change.signature, kind: change.kind, severity: change.severity,
              summary: change.summary, origin: change.origin)))
      }
      if found[position].cluster.summary != change.summary, let general = change.general {
        found[position].cluster.summary = general
      }
      found[position].cluster.members.append(member)
      found[position].cluster.consequences += consequences
      found[position].extents.append(extent(of: change))
      found[position].languages.append(String(unit.language.prefix { $0 != "-" }))
      found[position].cluster.severity = max(found[position].cluster.severity, change.severity)
    }
    for unit in units {
      for change in unit.changes {
        take(
          change, ClusterMember(key: unit.key, oldPage: nil, newPage: nil, fingerprint: change.fingerprint ?? 0), unit,
          0)
      }
      for page in unit.pages {
        let member = ClusterMember(
          key: unit.key, oldPage: page.oldPage, newPage: page.newPage, fingerprint: page.fingerprint)
        // Consequences of a page follow from its first change that moves anything.
        let mover = page.changes.firstIndex { $0.kind.movesWhatFollows } ?? 0
        for (index, change) in page.changes.enumerated() {
          take(change, member, unit, index == mover ? page.consequences : 0)
        }
      }
    }
    var clusters = found.map { gathering in
      var cluster = gathering.cluster
      cluster.books = Set(cluster.members.map(\.key.book)).count
      cluster.representatives = representatives(gathering)
      return cluster
    }
    addNear(&clusters)
    let kinds = Dictionary(uniqueKeysWithValues: ChangeClass.allCases.enumerated().map { ($1, $0) })
    clusters.sort { a, b in
      let (left, right) = (rank(a.severity), rank(b.severity))
      if left != right { return left > right }
      if a.members.count != b.members.count { return a.members.count > b.members.count }
      if a.severity != b.severity { return a.severity > b.severity }
      if a.books != b.books { return a.books > b.books }
      let (one, other) = (kinds[a.kind] ?? 0, kinds[b.kind] ?? 0)
      return one != other ? one < other : a.signature < b.signature
    }
    return clusters
  }

  /// Severe ones are looked at first, however few pages they have; among all others pages say what matters.
  private static func rank(_ severity: Severity) -> Int {
    switch severity {
    case .high: 2
    case .medium, .low: 1
    case .improvement: 0
    }
  }

  /// A cluster while its members are gathered.
  private struct Gathering {
    var cluster: Cluster
    /// By member: how much of the page differs, and the primary language.
    var extents: [Double] = []
    var languages: [String] = []
  }

  /// Eight hexadecimal digits of the signature's hash.
  package static func id(of signature: String) -> String {
    var hasher = StableHasher()
    hasher.combine(signature)
    let digits = String(hasher.value >> 32, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func extent(of change: Change) -> Double {
    func area(_ boxes: [RecordBox]) -> Double { boxes.reduce(0) { $0 + $1.width * $1.height } }
    return max(area(change.oldBoxes), area(change.newBoxes))
  }

  /// The smallest, the median and the largest member, as far as there are books and languages to choose from.
  private static func representatives(_ gathering: Gathering) -> [ClusterMember] {
    let members = gathering.cluster.members
    let order = members.indices.sorted { (gathering.extents[$0], $0) < (gathering.extents[$1], $1) }
    var chosen: [Int] = []
    func quality(_ index: Int) -> Int {
      if chosen.contains(where: { members[$0] == members[index] }) { return -1 }
      let isOtherBook = !chosen.contains { members[$0].key.book == members[index].key.book }
      let isOtherLanguage = !chosen.contains { gathering.languages[$0] == gathering.languages[index] }
      return (isOtherBook ? 2 : 0) + (isOtherLanguage ? 1 : 0)
    }
    func choose(_ candidates: some Sequence<Int>) {
      var best: (index: Int, quality: Int)?
      // The nearest of the best kind; looking at a hundred is looking far enough.
      for index in candidates.prefix(100) {
        let quality = quality(index)
        if quality > best?.quality ?? -1 { best = (index, quality) }
        if quality == 3 { break }
      }
      if let best { chosen.append(best.index) }
    }
    choose(order.prefix(1))
    choose(order.reversed())
    let middle = order.count / 2
    choose(
      (0..<order.count).lazy.map { order[(middle + ($0 % 2 == 0 ? $0 / 2 : order.count - 1 - $0 / 2)) % order.count] })
    if chosen.count == 3 { chosen.swapAt(1, 2) }
    return chosen.map { members[$0] }
  }

  private static let maximumNear = 8

  /// Clusters of one class whose signatures differ in one field.
  private static func addNear(_ clusters: inout [Cluster]) {
    var families: [String: [Int]] = [:]
    let fields = clusters.map { $0.signature.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
    for (index, parts) in fields.enumerated() where parts.count > 1 {
      for place in 1..<parts.count {
        var pattern = parts
        pattern[place] = "*\(place)"
        families[pattern.joined(separator: "|"), default: []].append(index)
      }
    }
    var near = [Set<Int>](repeating: [], count: clusters.count)
    for pattern in families.keys.sorted() {
      guard let members = families[pattern], members.count > 1 else { continue }
      for (place, member) in members.enumerated() where near[member].count < maximumNear {
        let first = max(0, min(place - maximumNear / 2, members.count - maximumNear - 1))
        for other in members[first..<min(members.count, first + maximumNear + 1)] where other != member {
          near[member].insert(other)
        }
      }
    }
    for index in clusters.indices {
      clusters[index].near = Array(near[index].map { clusters[$0].id }.sorted().prefix(maximumNear))
    }
  }
}

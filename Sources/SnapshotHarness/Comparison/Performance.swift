/// Judges time, memory and counters of two runs (snapshot harness, 8.1-8.5).
package enum Performance {
  /// The bounds from which on a figure counts as worse.
  package struct Thresholds: Hashable, Codable, Sendable {
    /// Shares of the old time.
    package var time = 0.05
    package var sum = 0.02
    package var memory = 0.05
    package var memoryBytes = 8.0 * 1024 * 1024
    /// Share of its counters by which the work of a unit with other pages may grow.
    var changedWork = 0.05
    /// A difference of less is within what a clock can tell, in milliseconds.
    package var milliseconds = 2.0
    /// A host whose equal runs differ by more is refused.
    package var noise = 0.03

    package init() {}
  }

  /// The figure that tells how long units take: instructions where the machine counts them, which nothing else moves, or else
  /// time.
  static func cost(_ runs: some Sequence<[[String: Double]]>) -> String {
    let figures = runs.joined()
    return figures.contains { _ in true } && figures.allSatisfy { $0[Figures.instructions] != nil }
      ? Figures.instructions : "time.total"
  }

  /// A figure is no worse than the one that somebody has accepted.
  static func isWithin(_ finding: PerformanceFinding, accepted: Double) -> Bool {
    if Figures.isGain(finding.metric) { return finding.new >= accepted }
    return finding.new <= accepted * (Figures.isCounter(finding.metric) ? 1 : 1 + Thresholds().time)
  }

  /// The least and the median of repeated runs.
  package struct Series: Hashable, Codable, Sendable {
    package var least: Double
    package var median: Double

    package init(_ values: [Double]) {
      let sorted = values.sorted()
      least = sorted.first ?? 0
      median = sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    static func += (sum: inout Self, other: Self) {
      sum.least += other.least
      sum.median += other.median
    }
  }

  /// Counters that changed: they tell a lost cache before the clock does. Those of words are left out where several workers
  /// set a unit.
  ///
  /// - Parameter changed: units with other pages. Those need other work, so that only much more of it is worse.
  package static func counters(
    _ old: [UnitKey: [String: Double]], _ new: [UnitKey: [String: Double]], changed: Set<UnitKey> = []
  ) -> [PerformanceFinding] {
    var findings: [PerformanceFinding] = []
    for key in new.keys.sorted() {
      guard let before = old[key], let after = new[key], !before.isEmpty else { continue }
      let hadOneWorker = before[Figures.workers] == 1 && after[Figures.workers] == 1
      for name in after.keys.sorted() where Figures.isCounter(name) && (hadOneWorker || !Figures.dependsOnWorkers(name))
      {
        guard let was = before[name], let value = after[name], was != value else { continue }
        // Counts of the book's content are no one's fault.
        let isWork = name.contains("probe") || name.contains("Probe") || name.contains("unique") || Figures.isGain(name)
        let loss = Figures.isGain(name) ? was - value : value - was
        let bound = changed.contains(key) ? Thresholds().changedWork * was + 1 : 0
        findings.append(
          PerformanceFinding(key: key, metric: name, old: was, new: value, isWorse: isWork && loss > bound))
      }
    }
    return findings
  }

  /// Units that hold much more or less memory than they did, as far as equally many workers set them in both runs. A peak hardly
  /// depends on what else the machine does, so that every run judges it.
  package static func memory(
    _ old: [UnitKey: [String: Double]], _ new: [UnitKey: [String: Double]], thresholds: Thresholds = Thresholds()
  ) -> [PerformanceFinding] {
    let name = "memory.peakBytes"
    return new.keys.sorted().compactMap { key in
      guard let before = old[key], let after = new[key], before[Figures.workers] == after[Figures.workers],
        let was = before[name], let now = after[name],
        abs(now - was) > max(thresholds.memory * was, thresholds.memoryBytes)
      else { return nil }
      return PerformanceFinding(key: key, metric: name, old: was, new: now, isWorse: now > was)
    }
  }

  /// The units that weigh most, for runs that judge time: those with the most elements, images, runs a page, characters a
  /// chapter, pages, time and memory, in turns.
  package static func heaviest(_ figures: [UnitKey: [String: Double]], count: Int = 30) -> [UnitKey] {
    func share(_ figures: [String: Double], _ name: String, of whole: String) -> Double {
      (figures[name] ?? 0) / max(1, figures[whole] ?? 0)
    }
    let measures: [([String: Double]) -> Double] = [
      { $0["styles.elements"] ?? 0 }, { $0["images"] ?? 0 }, { share($0, "runs", of: "pages") },
      { share($0, "characters", of: "chapters") }, { $0["pages"] ?? 0 }, { $0["time.total"] ?? 0 },
      { $0["memory.peakBytes"] ?? 0 },
    ]
    var orders = measures.map { measure in
      figures.map { ($0.key, measure($0.value)) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)[...]
    }
    var chosen: Set<UnitKey> = []
    while chosen.count < min(count, figures.count) {
      for index in orders.indices where chosen.count < count {
        while let next = orders[index].popFirst() { if chosen.insert(next).inserted { break } }
      }
    }
    return chosen.sorted()
  }

  /// The least and the median of the time and the memory of units in both builds: what is kept of a run that judges them.
  package struct Record: Hashable, Codable, Sendable {
    package var key: UnitKey
    /// By figure: the old build's, then the new one's.
    package var figures: [String: [Series]]
  }

  package static func records(
    _ old: [UnitKey: [[String: Double]]], _ new: [UnitKey: [[String: Double]]]
  ) -> [Record] {
    new.keys.sorted().map { key in
      var figures: [String: [Series]] = [:]
      for name in ["time.total", "time.firstPage", Figures.instructions, "memory.peakBytes", "child.peakBytes"] {
        let series = [old[key] ?? [], new[key] ?? []].map { runs in runs.compactMap { $0[name] } }
        if series.contains(where: { !$0.isEmpty }) { figures[name] = series.map(Series.init) }
      }
      return Record(key: key, figures: figures)
    }
  }

  /// Time and memory of units that were run several times alone on the machine. Instructions stand for time where all runs
  /// have them. Time is another where the least and the median both say so: what else the machine does moves one of them.
  ///
  /// - Parameter noise: by unit, the share by which equal runs differ.
  package static func judge(
    old: [UnitKey: [[String: Double]]], new: [UnitKey: [[String: Double]]], noise: [UnitKey: Double] = [:],
    thresholds: Thresholds = Thresholds()
  ) -> [PerformanceFinding] {
    var findings: [PerformanceFinding] = []
    var sums = (old: Series([]), new: Series([]))
    let cost = cost(Array(old.values) + Array(new.values))
    let clock = cost == Figures.instructions ? 0 : thresholds.milliseconds
    func series(_ runs: [[String: Double]], _ name: String) -> Series? {
      let values = runs.compactMap { $0[name] }
      return values.isEmpty ? nil : Series(values)
    }
    func differs(_ was: Series, _ now: Series, by share: Double) -> Bool {
      let changes = [(was.least, now.least), (was.median, now.median)].map { ($0, $1 - $0) }
      return changes.allSatisfy {
        abs($1) > share * $0 && abs($1) > clock && ($1 > 0) == (changes[0].1 > 0)
      }
    }
    for key in new.keys.sorted() {
      guard let before = old[key], let after = new[key] else { continue }
      if let was = series(before, cost), let now = series(after, cost) {
        sums.old += was
        sums.new += now
        if differs(was, now, by: max(thresholds.time, 3 * (noise[key] ?? 0))) {
          findings.append(
            PerformanceFinding(
              key: key, metric: cost, old: was.least, new: now.least, isWorse: now.least > was.least))
        }
      }
      if let was = series(before, "memory.peakBytes")?.least, let now = series(after, "memory.peakBytes")?.least,
        abs(now - was) > thresholds.memory * was, abs(now - was) > thresholds.memoryBytes
      {
        findings.append(
          PerformanceFinding(key: key, metric: "memory.peakBytes", old: was, new: now, isWorse: now > was))
      }
    }
    if differs(sums.old, sums.new, by: thresholds.sum) {
      findings.append(
        PerformanceFinding(
          key: UnitKey(book: "all books", profile: ""), metric: cost, old: sums.old.least,
          new: sums.new.least, isWorse: sums.new.least > sums.old.least))
    }
    return findings
  }

  /// By how much the least times, or instructions, of two halves of equal runs differ, as a share.
  package static func noise(_ runs: [[String: Double]]) -> Double {
    let times = runs.compactMap { $0[cost(CollectionOfOne(runs))] }
    guard times.count > 1 else { return 0 }
    let first = times.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).min() ?? 0
    let second = times.enumerated().filter { $0.offset % 2 == 1 }.map(\.element).min() ?? 0
    return min(first, second) > 0 ? abs(first - second) / min(first, second) : 0
  }
}

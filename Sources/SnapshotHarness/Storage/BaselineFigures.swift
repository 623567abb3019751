/// Memory and counters of a unit as a baseline keeps them, so that every run can be judged by what is in Git.
///
/// They hardly depend on the machine, and not on its load: the peak of memory in steps, and the counters that tell how much work was
/// shared. What a new recording says otherwise by less than noise or small change explains stays as it was written, so that
/// recording anew changes no line, and what grows a little each time is judged by where it began.
enum BaselineFigures {
  /// Bytes.
  private static let memoryStep = 4.0 * 1024 * 1024
  /// A peak that differs by less is the same one: mapped files and the allocator make so much of it.
  private static let memoryNoise = (share: 0.125, bytes: 12.0 * 1024 * 1024)
  /// Counters that differ by less than a share of them, or by so few, are the same.
  private static let counterNoise = (share: 0.02, count: 8.0)

  static let memory = "memory.peakBytes"
  /// Faults that are counted, and are told as changes of the pages.
  private static let faults = ["glyphs.missing", "lines.rivers"]
  /// Counters of the work that is shared between elements and texts; more of the hits is better, and less of the others.
  static let counters = [
    "attributes.probes", "attributes.unique", "lines.set", "shaping.cacheHits", "styles.sharedHits", "styles.unique",
  ]

  /// The figures of a unit that are kept.
  ///
  /// - Parameter old: The figures kept of it by now; empty to keep the new figures whatever they are.
  static func kept(of figures: [String: Double], over old: [String: Double]) -> [String: Double] {
    var kept: [String: Double] = [:]
    // The peak is that of so many workers: both are taken over, or neither.
    if let peak = figures[memory] {
      let isSame = old[memory].map { isWithinNoise(memory, $0, allowance(old, figures), peak) } ?? false
      kept[memory] = isSame ? old[memory] : (peak / memoryStep).rounded(.up) * memoryStep
      kept[Figures.workers] = (isSame ? old : figures)[Figures.workers]
    }
    for name in counters {
      let isKnown = figures[Figures.workers] == 1 || !Figures.dependsOnWorkers(name)
      guard isKnown, let value = figures[name] else {
        kept[name] = old[name]
        continue
      }
      kept[name] = old[name].map { isWithinNoise(name, $0, 1, value) ? $0 : value } ?? value
    }
    for name in faults { kept[name] = figures[name] }
    return kept
  }

  /// The factor by which the workers of a run may hold more memory than those of the baseline did.
  static func allowance(_ old: [String: Double], _ new: [String: Double]) -> Double {
    guard let before = old[Figures.workers], let after = new[Figures.workers], before > 0 else { return 1 }
    return after / before
  }

  static func isWithinNoise(_ name: String, _ old: Double, _ allowance: Double, _ new: Double) -> Bool {
    if name == memory {
      let bound = max(memoryNoise.share * old, memoryNoise.bytes)
      return new <= old * max(1, allowance) + bound && new >= old * min(1, allowance) - bound
    }
    return abs(new - old) <= max(counterNoise.share * old, counterNoise.count)
  }
}

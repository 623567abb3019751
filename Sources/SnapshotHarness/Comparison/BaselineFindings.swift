extension BaselineFigures {
  /// The figures that are worse or better than a baseline says.
  static func findings(_ old: [UnitKey: [String: Double]], _ new: [UnitKey: [String: Double]]) -> [PerformanceFinding] {
    var findings: [PerformanceFinding] = []
    for key in new.keys.sorted() {
      guard let before = old[key], let after = new[key] else { continue }
      for name in [memory] + counters {
        guard let was = before[name], let value = after[name] else { continue }
        if Figures.dependsOnWorkers(name), after[Figures.workers] != 1 { continue }
        let allowance = name == memory ? allowance(before, after) : 1
        // Fewer workers hold less.
        if isWithinNoise(name, was, allowance, value) || allowance < 1 && value < was { continue }
        let loss = Figures.isGain(name) ? was - value : value - was
        findings.append(PerformanceFinding(key: key, metric: name, old: was, new: value, isWorse: loss > 0))
      }
    }
    return findings
  }
}

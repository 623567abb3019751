import Typesetting

/// Renders the same units under conditions that must not matter, and tells what does (snapshot harness, 2, 11.2).
package enum Doctor {
  package struct Condition: Sendable {
    package var name: String
    var innerJobs = 1
    var environment: [String: String] = [:]
    var hasColdCache = false
    var isReversed = false
  }

  package struct Finding: Hashable, Sendable {
    package var condition: String
    package var key: UnitKey
    /// The difference, in words.
    package var difference: String
  }

  package static let conditions: [Condition] = [
    Condition(name: "2 threads", innerJobs: 2),
    Condition(name: "8 threads", innerJobs: 8),
    Condition(
      name: "time zone Pacific/Kiritimati, locale tr_TR.UTF-8",
      environment: ["TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"]),
    Condition(
      name: "time zone America/St_Johns, locale C", environment: ["TZ": "America/St_Johns", "LANG": "C", "LC_ALL": "C"]),
    Condition(name: "cold font cache, other order", hasColdCache: true, isReversed: true),
  ]

  /// - Parameter session: where and what to render; its folder gets one run for each condition.
  package static func examine(
    _ session: Session, conditions: [Condition] = conditions, started: (String) -> Void = { _ in }
  ) throws(HarnessError) -> [Finding] {
    let root = session.run.path
    func render(_ name: String, _ condition: Condition) throws(HarnessError) -> RunFolder {
      started(condition.name)
      var session = session
      session.run = RunFolder(Files.join(root, name))
      session.pool.ignoresCache = true
      session.pool.innerJobs = condition.innerJobs
      session.pool.spreadsChapters = false
      session.pool.environment.merge(condition.environment) { _, new in new }
      if condition.hasColdCache {
        let cache = Files.join(root, "cache-\(name)")
        Files.remove(cache)
        try Files.makeFolder(cache)
        session.pool.environment["XDG_CACHE_HOME"] = cache
      }
      // Work is dealt out by what was expected of it: the other way round here.
      if condition.isReversed {
        session.pool.expected = session.pool.expected.mapValues { (1 / max($0.seconds, 1e-6), $0.memory) }
      }
      try session.render()
      return session.run
    }
    let base = try render("0", Condition(name: "1 thread"))
    var findings: [Finding] = []
    for (number, condition) in conditions.enumerated() {
      let other = try render("\(number + 1)", condition)
      for key in session.units {
        if let difference = difference(base, other, key) {
          findings.append(Finding(condition: condition.name, key: key, difference: difference))
        }
      }
    }
    return findings
  }

  private static func difference(_ first: RunFolder, _ second: RunFolder, _ key: UnitKey) -> String? {
    guard let a = first.unitFile(key), let b = second.unitFile(key) else { return "the unit is missing" }
    if a.result.outcome != b.result.outcome { return "\(a.result.outcome.rawValue), then \(b.result.outcome.rawValue)" }
    guard let before = PageHashFile.pages(first.hashBytes(key)), let after = PageHashFile.pages(second.hashBytes(key))
    else { return "the hashes of pages are damaged" }
    if before.count != after.count { return "\(before.count) pages, then \(after.count)" }
    let pages = zip(before, after).enumerated().filter { $0.element.0 != $0.element.1 }
    if let page = pages.first {
      let what = page.element.0.display != page.element.1.display ? "is painted" : "is described"
      return "page \(page.offset + 1) \(what) otherwise" + (pages.count > 1 ? ", and \(pages.count - 1) more" : "")
    }
    if a.result.title != b.result.title || a.result.language != b.result.language { return "the title or language" }
    if Set(a.result.warnings) != Set(b.result.warnings) { return "the warnings" }
    if a.faces != b.faces || a.images != b.images { return "the faces or images" }
    return nil
  }
}

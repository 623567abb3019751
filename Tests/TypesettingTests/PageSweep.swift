import Foundation
import Platform
import Primitives

/// Compares the pages of many documents, as many at once as the machine has processors.
struct PageSweep {
  /// The slowest documents that are told of.
  private static let mostSlow = 5

  /// Seconds after which a document is given up; nil for never.
  var limit: Double?
  private(set) var compared = 0
  private(set) var documents = 0
  /// Each with the path of its document.
  private(set) var faults: [String] = []
  private var slowest: [(time: UInt64, name: String)] = []
  private var time: UInt64 = 0

  init(limit: Double? = nil) { self.limit = limit }

  mutating func run(_ documents: [PageDocument], tell: (String) -> Void = { _ in }) async {
    let limit = limit
    for await (document, findings) in Self.results(of: documents, { await $0.findings(limit: limit) }) {
      guard let findings else { continue }
      self.documents += 1
      compared += findings.compared
      time += findings.time
      let name = "\(document.url.path), profile \(document.profile)"
      slowest.append((findings.time, name))
      slowest = Array(slowest.sorted { $0.time > $1.time }.prefix(Self.mostSlow))
      for fault in findings.faults.prefix(20) {
        faults.append("\(name): \(fault)")
        tell(faults[faults.count - 1])
      }
    }
  }

  /// The number of pages and the processor's time.
  var summary: String {
    "\(compared) pages of \(documents) documents compared in \(time / 1_000_000_000) s of CPU, \(faults.count) faults"
  }
  /// The slowest documents, with their time.
  var slowDocuments: String { slowest.map { "\($0.time / 1_000_000) ms \($0.name)" }.joined(separator: "\n") }

  /// The results of work on all items, each as it comes.
  static func results<Item: Sendable, Result: Sendable>(
    of items: [Item], _ work: @escaping @Sendable (Item) async -> Result
  ) -> AsyncStream<(Item, Result)> {
    AsyncStream { stream in
      Task {
        await withTaskGroup(of: Void.self) { group in
          for (place, item) in items.enumerated() {
            if place >= ProcessInfo.processInfo.activeProcessorCount { await group.next() }
            group.addTask { stream.yield((item, await work(item))) }
          }
        }
        stream.finish()
      }
    }
  }
}

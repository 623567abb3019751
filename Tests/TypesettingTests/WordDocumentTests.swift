import Foundation
import Layout
import Platform
import TestSupport
import Testing

/// Every box breaks rightly, and no word is lost: documents made by chance, held against themselves.
@Suite struct WordDocumentTests {
  /// The seeds that `make page-test` names: of documents with a fault the smallest is searched.
  private static let searchedSeeds: ClosedRange<UInt64>? = {
    let named = ProcessInfo.processInfo.environment["TYPESET_WORD_TEST_SEEDS"] ?? ""
    let bounds = named.split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }()

  /// The documents of a search that are made smaller: it takes seconds.
  private static let mostShrunk = 10

  /// What a fault is, without the boxes and words that have it.
  private static func kind(of fault: String) -> Substring { fault.prefix { $0 != ":" } }

  @Test func `Words of nested boxes stand once each, in order, in closed frames, and no page is empty`() async {
    let isSearch = Self.searchedSeeds != nil
    if isSearch { LayoutChecks.areFatal = false }
    let seeds = Self.searchedSeeds.map { Array($0) } ?? Array(1...200)
    let found = PageSweep.results(of: seeds) { seed in
      await Worker.perform { WordDocument(seed: seed).faults }
    }
    var shrunk = 0
    for await (seed, faults) in found {
      guard let fault = faults.first else { continue }
      guard isSearch, shrunk < Self.mostShrunk else {
        Issue.record("seed \(seed): \(fault); make page-test WORDS=\(seed)-\(seed) finds the smallest such document")
        continue
      }
      shrunk += 1
      let kind = Self.kind(of: fault)
      let smallest = await WordDocument(seed: seed).shrunk { candidate in
        guard candidate.body.isWellFormed else { return false }
        return await Worker.perform { candidate.faults.contains { Self.kind(of: $0) == kind } }
      }
      print("seed \(seed): \(fault)")
      Issue.record(
        """
        seed \(seed): \(fault); \(smallest.faults.prefix(3)) on \(smallest.isPrinted ? "paper" : "screen") of \
        \(smallest.page.width)x\(smallest.page.height) in \(smallest.markup)
        """)
    }
  }
}

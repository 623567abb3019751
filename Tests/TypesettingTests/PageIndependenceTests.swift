import ChapterEngine
import Foundation
import Layout
import Platform
import Primitives
import TestSupport
import Testing

@testable import Typesetting

/// A page is a function of its break token: every way to reach it gives the same display list.
@Suite struct PageIndependenceTests {
  @Test func `Every page of the corpus is the same on all routes`() async {
    var sweep = PageSweep()
    await sweep.run(PageDocumentSources.inTurn(PageDocumentSources.books(below: PageDocumentSources.corpus)))
    #expect(sweep.documents > 100)
    #expect(sweep.faults.isEmpty)
    print("corpus: \(sweep.summary)")
  }

  @Test(.enabled(if: PageDocumentSources.areArchivesPresent, "the W3C's CSS tests do not lie beside the package"))
  func `Pages of the W3C's CSS tests are the same on all routes`() async throws {
    for archive in PageDocumentSources.archives {
      let unpacked = try UnpackedArchive(archive)
      defer { withExtendedLifetime(unpacked) {} }
      var sweep = PageSweep()
      await sweep.run(
        PageDocumentSources.inTurn(PageDocumentSources.sample(unpacked.documents, count: Self.sampledTests), most: 8))
      #expect(sweep.documents > Self.sampledTests * 9 / 10)
      #expect(sweep.faults.isEmpty)
      print("\(archive.lastPathComponent): \(sweep.summary)")
    }
  }
  /// Tests of each archive that are compared.
  private static let sampledTests = 60

  @Test(
    .enabled(
      if: PageDocumentSources.isPresent(PageDocumentSources.sharedBooks), "there are no books beside the package"))
  func `Pages of books that were made elsewhere are the same on all routes`() async {
    let books = PageDocumentSources.books(below: PageDocumentSources.sharedBooks)
    var sweep = PageSweep()
    await sweep.run(PageDocumentSources.inTurn(PageDocumentSources.sample(books, count: 4), most: 2))
    #expect(sweep.compared > 0)
    #expect(sweep.faults.isEmpty)
    print("books: \(sweep.summary)")
  }

  // MARK: Documents of nested boxes

  /// Compares the pages of a document.
  static func findings(in document: RandomDocument, profile: Int) async -> PageFindings {
    guard let folder = try? TestBook(), let file = try? folder.write(document.markup, to: "page.xhtml") else {
      return PageFindings(faults: ["there is no room for the document"])
    }
    defer { withExtendedLifetime(folder) {} }
    return await PageDocument(url: URL(fileURLWithPath: file), profile: profile).findings(limit: limit)
      ?? PageFindings(faults: ["the document cannot be read"])
  }

  /// A fault without its numbers.
  private static func kind(of fault: String) -> String { String(fault.filter { !$0.isNumber }) }

  private static func profile(ofSeed seed: UInt64) -> Int { seed % 3 == 0 ? 1 : 3 }

  @Test func `Every page of documents of nested boxes of every kind is the same on all routes`() async {
    let isSearch = Self.searchedSeeds != nil
    if isSearch { LayoutChecks.areFatal = false }
    var compared = 0
    let findings = PageSweep.results(of: Array(Self.searchedSeeds ?? 1...8)) { seed in
      await Self.findings(in: RandomDocument(seed: seed), profile: Self.profile(ofSeed: seed))
    }
    for await (seed, found) in findings {
      compared += found.compared
      guard let fault = found.faults.first else { continue }
      guard isSearch else {
        Issue.record("seed \(seed): \(fault); make page-test SEEDS=\(seed)-\(seed) finds the smallest such document")
        continue
      }
      let profile = Self.profile(ofSeed: seed)
      print("seed \(seed): \(fault)")
      let kind = Self.kind(of: fault)
      let smallest = await RandomDocument(seed: seed).shrunk {
        await Self.findings(in: $0, profile: profile).faults.contains { Self.kind(of: $0) == kind }
      }
      let faults = await Self.findings(in: smallest, profile: profile).faults
      Issue.record("seed \(seed): \(fault); \(faults.prefix(3)) in \(smallest.markup)")
    }
    #expect(isSearch || compared > 300)
    print("\(compared) pages of made documents compared")
  }

  @Test(arguments: PageCases.all.indices)
  func `Pages that once depended on other pages do not`(number: Int) async throws {
    let folder = try TestBook()
    let file = try folder.page(PageCases.all[number].body)
    defer { withExtendedLifetime(folder) {} }
    let found = try #require(await PageDocument(url: URL(fileURLWithPath: file), profile: 3).findings())
    #expect(found.compared >= 4)
    #expect(found.faults.isEmpty, "\(PageCases.all[number].fault)")
  }

  // MARK: Whole collections

  private static let environment = ProcessInfo.processInfo.environment
  /// The documents that `make page-test` names: folders of books, or `all` for everything that is there.
  static let folders = environment["TYPESET_PAGE_TEST"]
  /// The number of pages of a chapter that it compares.
  static let most = environment["TYPESET_PAGE_TEST_MOST"].flatMap { Int($0) } ?? .max
  /// Seconds after which it gives a document up.
  static let limit = environment["TYPESET_PAGE_TEST_LIMIT"].flatMap { Double($0) }

  /// The documents of nested boxes that `make page-test` names: of those with a fault the smallest is searched.
  static var searchedSeeds: ClosedRange<UInt64>? {
    let bounds = environment["TYPESET_PAGE_TEST_SEEDS"]?.split(separator: "-").compactMap { UInt64($0) } ?? []
    guard let first = bounds.first, let last = bounds.last, first <= last else { return nil }
    return first...last
  }

  @Test(.enabled(if: folders != nil, "make page-test compares the pages of whole collections"))
  func `Every page of whole collections is the same on all routes`() async throws {
    LayoutChecks.areFatal = false
    let named = try #require(Self.folders)
    guard named == "all" else {
      for folder in named.split(separator: ":") {
        let books = PageDocumentSources.books(below: URL(fileURLWithPath: String(folder)))
        await sweep(PageDocumentSources.everyProfile(books, most: Self.most), named: String(folder))
      }
      return
    }
    await sweep(
      PageDocumentSources.everyProfile(PageDocumentSources.books(below: PageDocumentSources.corpus)), named: "corpus")
    for archive in PageDocumentSources.archives where PageDocumentSources.isPresent(archive) {
      let unpacked = try UnpackedArchive(archive)
      defer { withExtendedLifetime(unpacked) {} }
      await sweep(
        PageDocumentSources.inTurn(unpacked.documents, most: Self.most), named: archive.lastPathComponent)
    }
    let books = PageDocumentSources.books(below: PageDocumentSources.sharedBooks)
    await sweep(PageDocumentSources.inTurn(books, most: Self.most), named: "books")
  }

  private func sweep(_ documents: [PageDocument], named name: String) async {
    let start = Date()
    var sweep = PageSweep(limit: Self.limit)
    await sweep.run(documents) { print($0) }
    #expect(sweep.faults.isEmpty, "\(name)")
    print("\(name): \(sweep.summary), \(Int(Date().timeIntervalSince(start))) s; the slowest:\n\(sweep.slowDocuments)")
  }
}

import Testing
import Typesetting

@testable import SnapshotHarness

/// Another font moves much that is not text itself: all of it belongs to the font (snapshot harness, 4.3, 11.1).
@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct FontSwapTests {
  /// Signatures of the changes that another first font makes in a page.
  private func signatures(of body: String) throws -> [String] {
    let corpus = try LittleCorpus()
    // A square of two pixels.
    let image =
      "data:image/gif;base64,R0lGODlhAgACAIAAAP8AAP///yH5BAAAAAAALAAAAAACAAIAAAIChFEAOw=="
    let page = body.replacing("IMAGE", with: "<img src='\(image)' width='14' height='14' alt=''>")
    Files.remove(corpus.folder["books"])
    try Files.write("<!DOCTYPE html><title>b</title><body>\(page)", to: corpus.folder["books/b.html"])
    let sessions = try ["DejaVu Serif", "Liberation Serif"].map { family in
      var session = try corpus.session(family, css: nil)
      session.manifest.fonts.serif = family
      for index in session.manifest.profiles.indices {
        session.manifest.profiles[index].choose("fontFamily", .texts([family]))
      }
      try session.render()
      return session
    }
    let comparison = try Verification.compare(
      .run(sessions[0].run, sessions[0].manifest), .run(sessions[1].run, sessions[1].manifest))
    return comparison.clusters.map(\.signature)
  }

  private func expectFontAlone(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = try signatures(of: body)
    #expect(!found.isEmpty, sourceLocation: sourceLocation)
    #expect(
      found.allSatisfy { $0.hasPrefix("font-changed|DejaVu Serif") && $0.contains("|Liberation Serif") }, "\(found)",
      sourceLocation: sourceLocation)
  }

  @Test func `Images in lines move with them`() throws {
    try expectFontAlone(
      String(repeating: "<p>Some words IMAGE and some more IMAGE words after it IMAGE.</p>", count: 20))
  }

  @Test func `Columns of tables are one change`() throws {
    try expectFontAlone(
      String(repeating: "<table><tr><td>words</td><td><code>code</code></td><td>IMAGE</td></tr></table>", count: 4))
  }

  @Test func `Lines of other fonts are told apart`() throws {
    try expectFontAlone(
      String(repeating: "<h2>标题</h2><p>雨中的书店在城的南边。</p><ol><li><code>code</code></li></ol>", count: 30))
  }

  /// An image that moves in a line whose text stays is a change of its own.
  @Test func `Images that move alone are named`() throws {
    let corpus = try LittleCorpus()
    Files.remove(corpus.folder["books"])
    try Files.write(
      "<!DOCTYPE html><title>b</title><body><p>Words <img src='data:,' width='14' height='14' alt=''> after.</p>",
      to: corpus.folder["books/b.html"])
    let sessions = try ["", "img { position: relative; left: 3px }"].enumerated().map { index, css in
      let session = try corpus.session("run-\(index)", css: css)
      try session.render()
      return session
    }
    let comparison = try Verification.compare(
      .run(sessions[0].run, sessions[0].manifest), .run(sessions[1].run, sessions[1].manifest))
    #expect(comparison.clusters.map(\.kind) == [.image])
  }
}

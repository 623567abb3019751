import Markup
import Primitives
import Testing

/// Elements nested in each other without end.
@Suite struct DepthTests {
  private func read(_ depth: Int, limits: Limits, _ kind: MarkupReader.Kind) -> (deepest: Int, codes: [String]) {
    let open = String(repeating: "<div>", count: depth)
    let close = String(repeating: "</div>", count: depth)
    let markup =
      kind == .xml
      ? "<html xmlns='http://www.w3.org/1999/xhtml'><body>\(open)x\(close)</body></html>"
      : "<!DOCTYPE html><body>\(open)x\(close)"
    let (document, diagnostics) = MarkupReader.read(Array(markup.utf8), as: kind, limits: limits)
    var deepest = 0
    var depths = [Int](repeating: 0, count: document.nodes.count)
    for (index, node) in document.nodes.enumerated() where !node.parent.isNone {
      depths[index] = depths[node.parent.index] + (node.kind == .element ? 1 : 0)
      deepest = max(deepest, depths[index])
    }
    return (deepest, diagnostics.diagnostics.map(\.code))
  }

  @Test(arguments: [MarkupReader.Kind.html, .xml])
  func `Elements below the last level stand on it, with a warning`(kind: MarkupReader.Kind) {
    #expect(read(390, limits: Limits(), kind).codes == [])
    let deep = read(1000, limits: Limits(), kind)
    #expect(deep.deepest == Limits().depth && deep.codes == ["too-deep"])
  }

  @Test(arguments: [MarkupReader.Kind.html, .xml])
  func `No limit goes beyond what threads have room for`(kind: MarkupReader.Kind) {
    var limits = Limits()
    limits.depth = 1_000_000
    #expect(read(5000, limits: limits, kind).deepest == Limits.greatestDepth)
    limits.depth = 20
    #expect(read(5000, limits: limits, kind).deepest == 20)
  }
}

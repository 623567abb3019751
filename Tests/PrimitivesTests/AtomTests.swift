import Primitives
import Testing

@Suite struct AtomTests {
  @Test func `Static names are the same in every table`() {
    var table = AtomTable()
    #expect(table.intern("p") == .p)
    #expect(table.intern("epub:type") == .epubType)
    #expect(table.name(of: .blockquote) == "blockquote")
    #expect(Set(Atom.staticNames).count == Int(Atom.staticCount))
  }

  @Test func `Local names are added once`() {
    var table = AtomTable()
    #expect(table.lookup("x-poem") == nil)
    let atom = table.intern("x-poem")
    #expect(!atom.isStatic)
    #expect(table.intern("x-poem") == atom)
    #expect(table.name(of: atom) == "x-poem")
  }
}

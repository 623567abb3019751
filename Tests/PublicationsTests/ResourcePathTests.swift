import Publications
import Testing

@Suite struct ResourcePathTests {
  @Test func `References are resolved within the container`() {
    func resolve(_ href: String, _ base: String = "OEBPS/text/c.xhtml") -> String? {
      ResourcePath.resolve(href, relativeTo: base)?.description
    }
    #expect(resolve("../img/a.png") == "OEBPS/img/a.png")
    #expect(resolve("#n%201") == "OEBPS/text/c.xhtml#n 1")
    #expect(resolve("Kapitel%20%C3%BC.xhtml?x#y") == "OEBPS/text/Kapitel ü.xhtml#y")
    #expect(resolve("/a/b") == "a/b")
    #expect(resolve("..\\..\\..\\..\\etc/passwd") == "etc/passwd")
    #expect(resolve("%2e%2e/%2e%2e/%2e%2e/x") == "x")
    #expect(resolve("http://example.org/a") == nil)
    #expect(resolve("//example.org/a") == nil)
    #expect(resolve("res:///system/fonts/x.ttf") == nil)
    #expect(resolve("data:image/png;base64,AA") == nil)
    #expect(resolve("100%.xhtml") == "OEBPS/text/100%.xhtml")
  }
}

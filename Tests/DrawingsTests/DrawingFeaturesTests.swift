import Testing

@testable import Drawings
@testable import ImageCodecs

/// Drawings that the engine makes ready itself, and those that stay as they are.
@Suite struct DrawingFeaturesTests {
  private func areBeyondLibrary(_ content: String) -> Bool {
    DrawingFeatures.areBeyondLibrary(Array("<svg xmlns='http://www.w3.org/2000/svg'>\(content)</svg>".utf8))
  }

  @Test(arguments: [
    "<style>rect{fill:var(--c)}</style>", "<style>:is(a){fill:red}</style>",
    "<style>@media screen{a{fill:red}}</style>",
    "<style>g{a{fill:red}}</style>", "<style>a{stroke-width:.2rem}</style>", "<style>a{fill:unset}</style>",
    "<rect fill='oklch(50% .2 260)'/>", "<rect style='fill: color-mix(in srgb, red, blue)'/>",
    "<text>a</text>", "<text><textPath href='#a'>a</textPath></text>", "<s:foreignObject/>", "<tref href='#a'/>",
    "<use href='a.svg#b'/>",
  ])
  func `Rules, functions and elements beyond SVG 1.1`(_ content: String) { #expect(areBeyondLibrary(content)) }

  @Test(arguments: [
    "", "<style>.a{fill:#f00;stroke:rgb(1,2,3)} a:hover, .b > a {fill:url(#x)}</style>",
    "<g transform='translate(1) rotate(3) skewX(4)' style='fill:rgba(1,2,3,.5)'/>", "<desc>a {@var} b</desc>",
    "<image href='data:;base64,AAAA'/>",
    "<use xlink:href='#a' x='1'/>", "<style/>", "<style><![CDATA[ .a { fill: red } ]]></style>",
  ])
  func `Any other drawing stays as it is`(_ content: String) { #expect(!areBeyondLibrary(content)) }
}

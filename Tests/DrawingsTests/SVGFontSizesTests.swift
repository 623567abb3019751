import ImageCodecs
import Primitives
import Testing

@testable import Drawings
@testable import Images

/// Drawings whose text librsvg cannot draw are refused before it sees them: it would end the process.
@Suite struct SVGFontSizesTests {
  private static let head =
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:xi='http://www.w3.org/2001/XInclude'"
  private static let large = "\(head)><g font-size='1000em'><g font-size='1000em'><text>日</text></g></g></svg>"

  private static func base64(_ text: String) -> String {
    var bytes: [UInt8] = []
    Base64.append(Array(text.utf8), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The ways in which a size can be named.
  private static let overflowing = [
    large,
    "\(head)><g style='font: bold 1e9px serif'><text>日</text></g></svg>",
    "\(head)><g style='FONT-SIZE /* */ : 2e7px'><text>日</text></g></svg>",
    "\(head)><style>g { f\\6fnt-size: 1e9px }</style><g><text>日</text></g></svg>",
    "\(head)><style><![CDATA[g { font-size: 2em }]]></style>" + String(repeating: "<g>", count: 20) + "<text>日</text>"
      + String(repeating: "</g>", count: 20) + "</svg>",
    "\(head)><style>@import url('data:text/css,g{font-size:1e9px}');</style><g><text>日</text></g></svg>",
    "\(head)>" + String(repeating: "<g font-size='larger'>", count: 70) + "<text>日</text>"
      + String(repeating: "</g>", count: 70) + "</svg>",
    "\(head)><g id='a' font-size='1000em'><text>日</text></g><g font-size='1000em'><use xlink:href='#a'/></g></svg>",
    "<!DOCTYPE svg [<!ENTITY b '1e9'>]>\(head)><g font-size='&b;'><text>日</text></g></svg>",
    "<!DOCTYPE svg [<!ENTITY b \"<text>日</text>\">]>\(head)><g font-size='1e9'>&b;</g></svg>",
    "<!DOCTYPE svg [<!ATTLIST g font-size CDATA '1e9'>]>\(head)><g><text>日</text></g></svg>",
    "\(head)><g font-size='&#50;&#x31;47483648'><text>日</text></g></svg>",
    "<?xml-stylesheet href='data:text/css,g{font-size:1e9px}'?>\(head)><g><text>日</text></g></svg>",
    "\(head)><xi:include href='data:image/svg+xml,%3Csvg/%3E'/></svg>",
    "<?xml version='1.0' encoding='UTF-7'?>\(head)/>",
  ]

  @Test(arguments: overflowing) func `Text that may be too large is refused, however its size is named`(
    _ source: String
  ) {
    #expect(SVGFontSizes.mayOverflow(Array(source.utf8)))
    let store = ImageStore()
    #expect(store.info(store.addInlineSVG(Array(source.utf8))).isBroken)
    #expect(store.diagnostics.diagnostics.count == 1)
  }

  @Test(arguments: [
    "\(head)><text font-size='12'>日</text></svg>",
    "\(head) font-size='90%'><style>text { font: italic 700 14px/1.5 'Sans 1e9' }</style><text>日</text></svg>",
    "\(head)><g font-size='1.5em'><text>日<tspan font-size='80%'>b</tspan></text></g></svg>",
    "<!DOCTYPE svg [<!ENTITY ns 'http://ns.adobe.com/Extensions/3.0/'> <!ENTITY st 'fill:none;font-size:12;'>]>"
      + "\(head)><text style='&st;'>日</text></svg>",
    "\(head)><g font-size='1e9'><path d='M0 0L9 9'/></g></svg>",
    "<?xml version='1.0' encoding='ISO-8859-1'?>\(head)><text>a</text></svg>",
  ])
  func `Sizes in use are drawn`(_ source: String) {
    #expect(!SVGFontSizes.mayOverflow(Array(source.utf8)))
  }

  @Test func `A picture in a drawing is looked at too`() throws {
    let resolve: (String) -> DrawingPictures.File? = { reference in
      reference.hasPrefix("data:") ? DrawingPictures.File(bytes: Array(Self.large.utf8)) : nil
    }
    for element in ["image", "filter><feImage"] {
      let source =
        "\(Self.head)><\(element) width='9' height='9' xlink:href='data:;base64,\(Self.base64(Self.large))'/></svg>"
      let prepared = try #require(SVGDocument.prepared(Array(source.utf8), resolve))
      #expect(!String(decoding: prepared, as: UTF8.self).contains(Self.base64(Self.large).prefix(40)))
    }
  }

  @Test func `Drawings that name each other are read once for each reference`() throws {
    let source = Array(
      ("\(Self.head)>" + String(repeating: "<image xlink:href='a.svg'/>", count: 40) + "</svg>").utf8)
    var reads = 0
    let prepared = SVGDocument.prepared(source) { _ in
      reads += 1
      return DrawingPictures.File(bytes: source)
    }
    #expect(reads == 40)
    #expect(try #require(prepared).count < 80 * source.count)
  }

  @Test func `A document in UTF-16 is looked at in UTF-8`() {
    let text = "<?xml version='1.0' encoding='UTF-16'?>" + Self.large
    let source: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) { $0 += [UInt8($1 & 255), UInt8($1 >> 8)] }
    #expect(SVGDocument.prepared(source) { _ in nil } == nil)
    let small = "<?xml version='1.0' encoding='UTF-16'?>\(Self.head)/>"
    let units: [UInt8] = small.utf16.reduce(into: [0xFE, 0xFF]) { $0 += [UInt8($1 >> 8), UInt8($1 & 255)] }
    #expect(SVGDocument.prepared(units) { _ in nil } == Array("\(Self.head)/>".utf8))
  }
}

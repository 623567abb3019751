import TestSupport
import Testing

@testable import Drawings
@testable import ImageCodecs

/// Sizes of drawings read without librsvg are those that librsvg gives.
@Suite struct PlainSVGTests {
  private static let start = "<svg xmlns='http://www.w3.org/2000/svg'"

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: [
      "\(start) width='9' height='4.5'/>",
      "\(start) width='12.345678px' height='3in'><g/></svg>",
      "\(start) width='2em' height='3ex' viewBox='0 0 10 30'></svg>",
      "\(start) width='1cm' height='7.5mm'/>",
      "\(start) width='72pt' height='6pc'/>",
      "\(start) width='100%' height='50' viewBox='-1 -2.5,30  40'/>",
      "\(start) viewBox='0,0,1400,2100'><title>A &amp; B &#xe9; &#8212;</title></svg>",
      "\(start) width='0' height='10' viewBox='0 0 0 10'/>",
      "\(start)/>",
      "<?xml version='1.0' encoding='UTF-8'?>\n<!-- made by hand -->\n<s:svg xmlns:s='http://www.w3.org/2000/svg' width='5' height='6'><s:g/></s:svg>\n",
      "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\(start) width='5'/>",
      "\(start) width='7' height='8' style='stroke-width: 2; line-height: 1'><style><![CDATA[ a { b: c } ]]></style></svg>",
      "\(start) width='8' height='9'><style>path { stroke-width: 3 }</style><path d='M0 0L9 9'/></svg>",
    ])
  func `The size of a plain document is the one that librsvg finds`(_ source: String) throws {
    let data = Array(source.utf8)
    let asked = try #require(VectorImage(data, isLazy: false))
    #expect(VectorImage(data)?.dimensions == asked.dimensions)
  }

  @Test func `Nearly all documents are plain`() throws {
    for source in [
      "\(Self.start) width='9' height='4.5'/>",
      "<?xml version='1.0' encoding='utf-8'?>\n\(Self.start) viewBox='0 0 3 4'>\n\t<path d='M0 0'/>\n</svg>\n",
    ] {
      #expect(PlainSVG(Array(source.utf8)) != nil, "\(source)")
    }
  }

  @Test(arguments: [
    "\(start)><g></svg>", "\(start)><g></g>", "\(start)>a & b</svg>", "\(start)>&what;</svg>", "\(start) a='1' a='2'/>",
    "\(start) a=1/>", "\(start) a='<'/>", "\(start)/>text", "\(start)/>\(start)/>", "\(start)>]]></svg>",
    "\(start)>\u{1}</svg>",
    "<svg/>", "<svg xmlns='http://www.w3.org/1999/xhtml'/>", "\(start)><!-- a -- b --></svg>", "\(start)>&#0;</svg>",
    "",
    "<!DOCTYPE svg [<!ENTITY a 'b'>]>\(start)/>", "\(start)><?target?></svg>", "\(start)>\u{FFFE}</svg>",
    "<?xml version='1.0' encoding='ISO-8859-1'?>\(start)/>", "\(start)><a", "\(start) width='5'", "\(start)><a b='",
  ])
  func `What librsvg may refuse is not taken for plain`(_ source: String) {
    #expect(PlainSVG(Array(source.utf8)) == nil)
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: [
      "\(start) style='width: 5px'/>", "\(start)><style>svg { HEIGHT: 3px }</style></svg>", "\(start) width='auto'/>",
      "\(start) width='+5'/>", "\(start) width='1e1'/>", "\(start) viewBox='0 0 -1 1'/>", "\(start) viewBox='0 0 1'/>",
    ])
  func `A document whose size is said in an unusual way is left to librsvg`(_ source: String) {
    #expect(PlainSVG(Array(source.utf8)) == nil)
    #expect(VectorImage(Array(source.utf8))?.dimensions == VectorImage(Array(source.utf8), isLazy: false)?.dimensions)
  }
}

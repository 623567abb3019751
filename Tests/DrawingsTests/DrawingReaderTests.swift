import Graphics
import Primitives
import TestSupport
import Testing

@testable import Drawings

/// Documents that are read as lists are drawn as librsvg draws them, and all others are left to it.
@Suite struct DrawingReaderTests {
  private static let start =
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"

  private static func source(_ content: String, _ root: String = "viewBox='0 0 60 40'") -> [UInt8] {
    Array("\(start) \(root)>\(content)</svg>".utf8)
  }

  private static func list(_ source: [UInt8]) -> Drawing? {
    PlainSVG(source).flatMap { DrawingReader.read($0, natural: nil) }
  }

  /// The number of pixels that differ by more than a sixth in one of their channels, and the mean of all differences.
  private static func difference(_ one: Bitmap, _ other: Bitmap) -> (count: Int, mean: Double) {
    var count = 0
    var sum = 0
    for y in 0..<one.height {
      for x in 0..<one.width {
        let (a, b) = (one.pixel(x: x, y: y), other.pixel(x: x, y: y))
        let distances = [
          Int(a.red) - Int(b.red), Int(a.green) - Int(b.green), Int(a.blue) - Int(b.blue), Int(a.alpha) - Int(b.alpha),
        ].map(abs)
        if distances.max() ?? 0 > 40 { count += 1 }
        sum += distances.reduce(0, +)
      }
    }
    return (count, Double(sum) / Double(one.width * one.height * 4))
  }

  private static func expectLikeLibrsvg(_ source: [UInt8], _ comment: Comment? = nil) throws {
    let list = try #require(Self.list(source), comment)
    let librsvg = try #require(VectorImage(here: source))
    for (width, height) in [(120, 80), (75, 90)] {
      let drawn = try #require(list.draw(width: width, height: height, area: SIMD2(Float(width), Float(height))))
      let expected = try #require(librsvg.draw(width: width, height: height))
      let (count, mean) = difference(drawn, expected)
      #expect(count <= width * height / 300 && mean < 1, "\(count) pixels, \(mean) on average: \(comment ?? "")")
    }
  }

  private static let gradients = """
    <linearGradient id='l'><stop offset='0' stop-color='red'/><stop offset='50%' stop-color='#0f0' stop-opacity='.5'/>\
    <stop offset='1' style='stop-color:blue'/></linearGradient>\
    <linearGradient id='m' xlink:href='#l' gradientUnits='userSpaceOnUse' x1='10' y1='5' x2='30' y2='5' \
    gradientTransform='rotate(20)' spreadMethod='reflect'/>\
    <radialGradient id='r' href='#l' cx='40%' fx='.3' spreadMethod='repeat' r='.3'/>\
    <radialGradient id='s' href='#l' gradientUnits='userSpaceOnUse' cx='30' cy='20' r='15'/>
    """

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: [
      // Shapes.
      "<rect x='5' y='5' width='30' height='20' rx='6'/><rect x='40' width='10' height='10' rx='2' ry='4' fill='teal'/>",
      "<circle cx='20' cy='20' r='15' fill='#c80'/><ellipse cx='45' cy='20' rx='10' ry='18' fill='rgb(0,80,160)'/>",
      "<line x1='5' y1='5' x2='50' y2='30' stroke='red' stroke-width='3'/><line x2='9' y2='9'/>",
      "<polyline points='5,5 30,5 30 30' fill='none' stroke='navy'/><polygon points='35,5 55,20 40,35' fill='lime'/>",
      "<rect width='50%' height='25%' fill='hsl(120,50%,40%)'/><rect x='1cm' y='5mm' width='12pt' height='1pc'/>",
      "<path d='M5 5h20v20h-20zM10 10h10v10h-10z' fill-rule='evenodd' fill='maroon'/><path d='M30 5l9 30 9-3m3 3'/>",
      "<path d='M5 30Q20 0 35 30T55 30A9 5 20 0 1 40 38' fill='none' stroke='#123456' stroke-width='.7'/>",
      "<rect width='9' height='0'/><circle r='0'/><path/><polygon/><path d=''/><rect width='3' height='3'/>",
      // Strokes.
      "<path d='M5 30L15 5 25 30' fill='none' stroke='black' stroke-width='4'/>"
        + "<path d='M30 30L40 5 50 30' fill='none' stroke='black' stroke-width='4' stroke-linejoin='round' stroke-linecap='round'/>",
      "<path d='M5 35L8 5 11 35' fill='none' stroke='red' stroke-width='2' stroke-miterlimit='30'/>"
        + "<path d='M25 30L40 15 55 30' fill='none' stroke='black' stroke-width='5' stroke-linejoin='bevel' stroke-linecap='square'/>",
      "<path d='M5 5H55M5 15H55' stroke='black' stroke-width='3' stroke-dasharray='5 2 1'/>"
        + "<path d='M5 25H55' stroke='#080' stroke-width='2' stroke-dasharray='0,4' stroke-linecap='round' stroke-dashoffset='3'/>",
      "<g stroke='blue' stroke-opacity='.4' stroke-width='6' fill='yellow' fill-opacity='.7'>"
        + "<rect x='10' y='10' width='30' height='20'/></g>",
      // Groups, transforms, styles.
      "<g transform='translate(30,5) rotate(30)' fill='purple'><rect width='20' height='10'/>"
        + "<g transform='scale(.5 2) skewX(10)'><rect y='8' width='20' height='5' style='fill: green; stroke:black'/></g></g>",
      "<g opacity='.5'><rect width='30' height='30' fill='red'/><rect x='15' y='10' width='30' height='30' fill='blue'/></g>",
      "<g style='opacity:.8;fill:#f0f'><circle cx='20' cy='20' r='9'/><g opacity='.5'><circle cx='30' cy='20' r='9' "
        + "stroke='black'/></g></g>",
      "<g color='green'><rect width='20' height='20' fill='currentColor'/><g color='red' stroke='currentColor' fill='none'>"
        + "<rect x='30' y='5' width='9' height='9'/></g></g>",
      "<g visibility='hidden'><rect width='9' height='9'/><rect x='20' width='9' height='9' visibility='visible'/></g>"
        + "<g display='none'><rect width='60' height='40'/></g>",
      "<g transform='matrix(1 .2 -.3 1 10 0)' stroke='black' stroke-width='3'><path d='M5 5h20v20h-20z' fill='#ff08'/></g>",
      // Clips.
      "<clipPath id='c'><circle cx='20' cy='20' r='15'/><rect x='40' y='10' width='10' height='10'/></clipPath>"
        + "<g clip-path='url(#c)'><rect width='60' height='40' fill='orange'/></g>",
      "<clipPath id='c' clipPathUnits='objectBoundingBox'><path d='M0 0L1 .5 0 1z' transform='scale(.8)'/></clipPath>"
        + "<rect x='10' y='10' width='40' height='20' style='clip-path:url(#c)'/>",
      "<clipPath id='c'><path clip-rule='evenodd' d='M5 5h30v30h-30zM10 10h20v20h-20z'/></clipPath>"
        + "<g clip-path='url(#c)' opacity='.5' transform='translate(10)'><rect width='60' height='40'/></g>",
      // Gradients.
      "\(gradients)<rect width='50' height='30' fill='url(#l)'/>",
      "<defs>\(gradients)</defs><rect x='5' y='5' width='50' height='30' fill='url(#m)' fill-opacity='.6'/>",
      "\(gradients)<circle cx='30' cy='20' r='18' fill='url(#r)'/>",
      "\(gradients)<path d='M5 5L55 35' stroke='url(#s)' stroke-width='8'/>",
      "\(gradients)<rect width='9' height='9' fill='url(#none) red'/><rect x='20' width='9' height='9' fill='url(#none)'/>",
      // Elements elsewhere, and such as draw nothing.
      "<defs><g id='a' fill='red'><rect width='9' height='9'/><circle cx='5' cy='15' r='4' fill='blue'/></g></defs>"
        + "<use xlink:href='#a' x='5'/><use href='#a' x='30' y='9' transform='rotate(10)' stroke='black'/>",
      "<title>T</title><desc>D</desc><metadata><x:y xmlns:x='u:v' a='b'/></metadata><style> </style>"
        + "<filter id='f'/><a xlink:href='x'><rect id='r' class='k' width='9' height='9' data-a='1' aria-label='L'/></a>",
    ])
  func `A list is drawn as librsvg draws the document`(_ content: String) throws {
    try Self.expectLikeLibrsvg(Self.source(content))
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: [
      "viewBox='-10 -5 60 40' preserveAspectRatio='none'", "viewBox='0 0 30 60' preserveAspectRatio='xMaxYMin slice'",
      "viewBox='0 0 60 40' fill='green' stroke='black' opacity='.5'", "viewBox='5 5 30 20' style='fill:blue'", "",
    ])
  func `The root says how the list fits its area, and what is inherited`(_ root: String) throws {
    try Self.expectLikeLibrsvg(Self.source("<path d='M5 5h40v20h-20z'/>", root))
  }

  /// A document by a seed: shapes in groups, with properties of all kinds.
  private static func randomDocument(_ seed: UInt64) -> String {
    var random = FixedGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> String {
      let value = Int.random(in: range, using: &random)
      return Bool.random(using: &random) ? "\(value)" : "\(value).\(Int.random(in: 1...9, using: &random))"
    }
    func property() -> String {
      switch Int.random(in: 0...11, using: &random) {
      case 0:
        "fill='\(["red", "none", "#08f", "rgb(10,200,30)", "currentColor", "url(#s)"].randomElement(using: &random)!)'"
      case 1: "stroke='\(["black", "none", "#f80", "url(#m)"].randomElement(using: &random)!)'"
      case 2: "stroke-width='\(number(0...6))'"
      case 3: "opacity='0.\(Int.random(in: 1...9, using: &random))'"
      case 4: "fill-opacity='0.\(Int.random(in: 1...9, using: &random))'"
      case 5: "transform='translate(\(number(-9...20)) \(number(-9...9)))rotate(\(number(0...90)))'"
      case 6: "stroke-dasharray='\(number(1...9)) \(number(1...5))'"
      case 7: "clip-path='url(#c)'"
      case 8: "stroke-linejoin='\(["round", "bevel", "miter"].randomElement(using: &random)!)'"
      case 9: "stroke-linecap='\(["round", "butt", "square"].randomElement(using: &random)!)'"
      case 10: "fill-rule='evenodd'"
      default: "color='#\(Int.random(in: 100...999, using: &random))'"
      }
    }
    func properties() -> String {
      var names: Set<Substring> = []
      return (0..<Int.random(in: 0...4, using: &random)).map { _ in property() }
        .filter { names.insert($0.prefix { $0 != "=" }).inserted }.joined(separator: " ")
    }
    func shape() -> String {
      let properties = properties()
      return switch Int.random(in: 0...4, using: &random) {
      case 0:
        "<rect x='\(number(0...40))' y='\(number(0...30))' width='\(number(1...30))' height='\(number(1...20))' "
          + "rx='\(number(0...9))' \(properties)/>"
      case 1: "<circle cx='\(number(5...50))' cy='\(number(5...35))' r='\(number(1...15))' \(properties)/>"
      case 2: "<line x1='\(number(0...9))' y1='\(number(0...40))' x2='\(number(20...60))' y2='5' \(properties)/>"
      case 3:
        "<path d='M\(number(0...20)) \(number(0...20))C\(number(0...60)) \(number(0...40)) 30 0 \(number(30...60)) "
          + "\(number(0...40))l\(number(-20...20)) 9z' \(properties)/>"
      default: "<polygon points='\(number(0...20)),5 \(number(30...60)),9 20,\(number(20...40))' \(properties)/>"
      }
    }
    func group(_ depth: Int) -> String {
      let content = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        depth < 3 && Int.random(in: 0...2, using: &random) == 0 ? group(depth + 1) : shape()
      }
      return "<g \(properties())>\(content.joined())</g>"
    }
    return "\(gradients)<clipPath id='c'><circle cx='30' cy='20' r='18'/></clipPath>\(group(0))\(group(0))"
  }

  @Test(
    .enabled(if: LoadedLibrary.areInstalled(.cairo, .rsvg), "libcairo or librsvg is not installed"),
    arguments: 1...150)
  func `Any document of shapes is drawn alike`(_ seed: UInt64) throws {
    let content = Self.randomDocument(seed)
    try Self.expectLikeLibrsvg(Self.source(content), "\(content)")
  }

  @Test(arguments: [
    "<text>A</text>", "<style>path{fill:red}</style><path d='M0 0h1v1'/>", "<path systemLanguage='fr' d='M0 0h1v1'/>",
    "<s:path xmlns:s='http://www.w3.org/2000/svg' d='M0 0h1v1'/>", "<svg><path d='M0 0h1v1'/></svg>",
    "<path xmlns='' d='M0 0h1v1'/>", "<path d='L0 0'/>", "<path d='M0 0 L'/>", "<path d='M0 0 x'/>",
    "<path d='M0 0z1'/>",
    "<rect width='9' height='9' filter='url(#f)'/>", "<rect width='9' height='9' style='mask:url(#m)'/>",
    "<rect width='1em' height='9'/>", "<rect width='9' height='-9'/>", "<rect width='9' height='9' fill='plaid'/>",
    "<rect width='9' height='9' fill='url(#p)'/><pattern id='p'/>", "<rect width='9' height='9' fill='icc-color(a)'/>",
    "<rect width='9' height='9' style='fill:red!important'/>", "<rect width='9' height='9' transform='spin(9)'/>",
    "<line x2='9' stroke='black' vector-effect='non-scaling-stroke'/>", "<line x2='9' shape-rendering='crispEdges'/>",
    "<switch><path d='M0 0h1v1'/></switch>", "<image href='a.png' width='9' height='9'/><path d='M0 0h1v1'/>",
    "<g opacity='inherit'><path d='M0 0h1v1'/></g>", "<use href='#a'/>", "<g id='a'><use href='#a'/></g>",
    "<rect width='9' height='9' clip-path='url(#n)'/>", "<path d='M0 0H900' stroke='red' stroke-dasharray='.01'/>",
    "<marker id='m'/><path d='M0 0h1' marker-end='url(#m)'/>", "<unknown><path d='M0 0h1v1'/></unknown>",
    "<linearGradient id='l'><stop/></linearGradient><path d='M0 0h1v1' fill='url(#l)'/>",
  ])
  func `What is not certain to be drawn alike is left to librsvg`(_ content: String) {
    #expect(Self.list(Self.source(content)) == nil)
  }

  @Test func `A drawing that takes long is left to a process that can be stopped`() throws {
    let layer = "<g opacity='.5'><rect width='60' height='40' fill='red'/><rect width='60' height='40'/></g>"
    let list = try #require(Self.list(Self.source(String(repeating: layer, count: 200))))
    #expect(list.draw(width: 60, height: 40, area: SIMD2(60, 40)) != nil)
    #expect(list.draw(width: 3000, height: 2000, area: SIMD2(3000, 2000)) == nil)
    // A billion rectangles.
    let bomb = (1...9).map { level in
      "<g id='g\(level)'>\(String(repeating: "<use href='#g\(level - 1)'/>", count: 10))</g>"
    }
    #expect(Self.list(Self.source("<rect id='g0' width='1' height='1'/>\(bomb.joined())")) == nil)
  }

  @Test(.enabled(if: LoadedLibrary.areInstalled(.cairo), "libcairo is not installed"))
  func `No process is started for a list`() {
    let helper = DrawingHelper(program: "/bin/false", arguments: [])
    let image = VectorImage(Self.source("<rect width='60' height='40' fill='#f00'/>"), helper: helper)
    #expect(image?.draw(width: 6, height: 4)?.pixel(x: 3, y: 2).red == 255)
    #expect(helper.failures == 0)
  }
}

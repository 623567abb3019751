/// The names of HTML, SVG, MathML, EPUB and NCX that the engine speaks of. The order is fixed: ids follow it.
extension Atom {
  /// How many names are static.
  public static let staticCount: UInt32 = 316

  /// The static names by id.
  public static let staticNames: [String] = [
    "html", "head", "title", "base", "link", "meta", "style", "body", "article", "section", "nav", "aside", "h1",
    "h2", "h3", "h4", "h5", "h6", "hgroup", "header", "footer", "address", "p", "hr", "pre", "blockquote", "ol", "ul",
    "menu", "li", "dl", "dt", "dd", "figure", "figcaption", "main", "div", "a", "em", "strong", "small", "s", "cite",
    "q", "dfn", "abbr", "ruby", "rb", "rt", "rtc", "rp", "data", "time", "code", "var", "samp", "kbd", "sub", "sup",
    "i", "b", "u", "mark", "bdi", "bdo", "span", "br", "wbr", "ins", "del", "picture", "source", "img", "iframe",
    "embed", "object", "param", "video", "audio", "track", "map", "area", "table", "caption", "colgroup", "col",
    "tbody", "thead", "tfoot", "tr", "td", "th", "form", "label", "input", "button", "select", "datalist", "optgroup",
    "option", "textarea", "output", "progress", "meter", "fieldset", "legend", "details", "summary", "dialog",
    "script", "noscript", "template", "slot", "canvas", "acronym", "applet", "basefont", "bgsound", "big", "blink",
    "center", "dir", "font", "frame", "frameset", "image", "isindex", "keygen", "listing", "marquee", "multicol",
    "nextid", "nobr", "noembed", "noframes", "plaintext", "spacer", "strike", "tt", "xmp", "search", "svg", "g",
    "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
    "textPath", "foreignObject", "switch", "desc", "metadata", "linearGradient", "radialGradient", "stop", "clipPath",
    "mask", "filter", "pattern", "marker", "view", "animate", "set", "math", "mi", "mn", "mo", "ms", "mtext",
    "mspace", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "merror", "mpadded", "mphantom", "mfenced", "menclose",
    "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable",
    "mtr", "mtd", "mlabeledtr", "maction", "semantics", "annotation", "annotation-xml", "id", "class", "lang", "href",
    "src", "alt", "width", "height", "align", "valign", "bgcolor", "color", "face", "size", "border", "cellpadding",
    "cellspacing", "colspan", "rowspan", "start", "value", "type", "reversed", "name", "rel", "media", "charset",
    "content", "http-equiv", "hidden", "nowrap", "background", "hspace", "vspace", "clear", "compact", "noshade",
    "rules", "headers", "scope", "datetime", "poster", "usemap", "shape", "coords", "role", "vlink", "alink",
    "epub:type", "epub:prefix", "xml:lang", "xml:space", "xml:id", "xml:base", "xlink:href", "xlink:title", "xmlns",
    "viewBox", "preserveAspectRatio", "display", "mathvariant", "mathsize", "mathcolor", "mathbackground", "stretchy",
    "fence", "separator", "lspace", "rspace", "accent", "accentunder", "linethickness", "columnalign", "rowalign",
    "open", "close", "separators", "aria-label", "aria-hidden", "aria-labelledby", "aria-describedby", "aria-level",
    "srcset", "sizes", "download", "target", "property", "refines", "idref", "linear", "full-path", "media-type",
    "item", "itemref", "manifest", "spine", "package", "container", "rootfile", "rootfiles", "navMap", "navPoint",
    "navLabel", "pageList", "pageTarget", "playOrder", "ncx", "toc", "version", "unique-identifier", "scheme",
  ]

  static let staticIDs: [String: UInt32] = {
    var ids = [String: UInt32](minimumCapacity: staticNames.count)
    for (index, name) in staticNames.enumerated() { ids[name] = UInt32(index) }
    return ids
  }()

  @inlinable public static var html: Atom { Atom(rawValue: 0) }
  @inlinable public static var head: Atom { Atom(rawValue: 1) }
  @inlinable public static var title: Atom { Atom(rawValue: 2) }
  @inlinable public static var base: Atom { Atom(rawValue: 3) }
  @inlinable public static var link: Atom { Atom(rawValue: 4) }
  @inlinable public static var meta: Atom { Atom(rawValue: 5) }
  @inlinable public static var style: Atom { Atom(rawValue: 6) }
  @inlinable public static var body: Atom { Atom(rawValue: 7) }
  @inlinable public static var article: Atom { Atom(rawValue: 8) }
  @inlinable public static var section: Atom { Atom(rawValue: 9) }
  @inlinable public static var nav: Atom { Atom(rawValue: 10) }
  @inlinable public static var aside: Atom { Atom(rawValue: 11) }
  @inlinable public static var h1: Atom { Atom(rawValue: 12) }
  @inlinable public static var h2: Atom { Atom(rawValue: 13) }
  @inlinable public static var h3: Atom { Atom(rawValue: 14) }
  @inlinable public static var h4: Atom { Atom(rawValue: 15) }
  @inlinable public static var h5: Atom { Atom(rawValue: 16) }
  @inlinable public static var h6: Atom { Atom(rawValue: 17) }
  @inlinable public static var hgroup: Atom { Atom(rawValue: 18) }
  @inlinable public static var header: Atom { Atom(rawValue: 19) }
  @inlinable public static var footer: Atom { Atom(rawValue: 20) }
  @inlinable public static var address: Atom { Atom(rawValue: 21) }
  @inlinable public static var p: Atom { Atom(rawValue: 22) }
  @inlinable public static var hr: Atom { Atom(rawValue: 23) }
  @inlinable public static var pre: Atom { Atom(rawValue: 24) }
  @inlinable public static var blockquote: Atom { Atom(rawValue: 25) }
  @inlinable public static var ol: Atom { Atom(rawValue: 26) }
  @inlinable public static var ul: Atom { Atom(rawValue: 27) }
  @inlinable public static var menu: Atom { Atom(rawValue: 28) }
  @inlinable public static var li: Atom { Atom(rawValue: 29) }
  @inlinable public static var dl: Atom { Atom(rawValue: 30) }
  @inlinable public static var dt: Atom { Atom(rawValue: 31) }
  @inlinable public static var dd: Atom { Atom(rawValue: 32) }
  @inlinable public static var figure: Atom { Atom(rawValue: 33) }
  @inlinable public static var figcaption: Atom { Atom(rawValue: 34) }
  @inlinable public static var main: Atom { Atom(rawValue: 35) }
  @inlinable public static var div: Atom { Atom(rawValue: 36) }
  @inlinable public static var a: Atom { Atom(rawValue: 37) }
  @inlinable public static var em: Atom { Atom(rawValue: 38) }
  @inlinable public static var strong: Atom { Atom(rawValue: 39) }
  @inlinable public static var small: Atom { Atom(rawValue: 40) }
  @inlinable public static var s: Atom { Atom(rawValue: 41) }
  @inlinable public static var cite: Atom { Atom(rawValue: 42) }
  @inlinable public static var q: Atom { Atom(rawValue: 43) }
  @inlinable public static var dfn: Atom { Atom(rawValue: 44) }
  @inlinable public static var abbr: Atom { Atom(rawValue: 45) }
  @inlinable public static var ruby: Atom { Atom(rawValue: 46) }
  @inlinable public static var rb: Atom { Atom(rawValue: 47) }
  @inlinable public static var rt: Atom { Atom(rawValue: 48) }
  @inlinable public static var rtc: Atom { Atom(rawValue: 49) }
  @inlinable public static var rp: Atom { Atom(rawValue: 50) }
  @inlinable public static var data: Atom { Atom(rawValue: 51) }
  @inlinable public static var time: Atom { Atom(rawValue: 52) }
  @inlinable public static var code: Atom { Atom(rawValue: 53) }
  @inlinable public static var `var`: Atom { Atom(rawValue: 54) }
  @inlinable public static var samp: Atom { Atom(rawValue: 55) }
  @inlinable public static var kbd: Atom { Atom(rawValue: 56) }
  @inlinable public static var sub: Atom { Atom(rawValue: 57) }
  @inlinable public static var sup: Atom { Atom(rawValue: 58) }
  @inlinable public static var i: Atom { Atom(rawValue: 59) }
  @inlinable public static var b: Atom { Atom(rawValue: 60) }
  @inlinable public static var u: Atom { Atom(rawValue: 61) }
  @inlinable public static var mark: Atom { Atom(rawValue: 62) }
  @inlinable public static var bdi: Atom { Atom(rawValue: 63) }
  @inlinable public static var bdo: Atom { Atom(rawValue: 64) }
  @inlinable public static var span: Atom { Atom(rawValue: 65) }
  @inlinable public static var br: Atom { Atom(rawValue: 66) }
  @inlinable public static var wbr: Atom { Atom(rawValue: 67) }
  @inlinable public static var ins: Atom { Atom(rawValue: 68) }
  @inlinable public static var del: Atom { Atom(rawValue: 69) }
  @inlinable public static var picture: Atom { Atom(rawValue: 70) }
  @inlinable public static var source: Atom { Atom(rawValue: 71) }
  @inlinable public static var img: Atom { Atom(rawValue: 72) }
  @inlinable public static var iframe: Atom { Atom(rawValue: 73) }
  @inlinable public static var embed: Atom { Atom(rawValue: 74) }
  @inlinable public static var object: Atom { Atom(rawValue: 75) }
  @inlinable public static var param: Atom { Atom(rawValue: 76) }
  @inlinable public static var video: Atom { Atom(rawValue: 77) }
  @inlinable public static var audio: Atom { Atom(rawValue: 78) }
  @inlinable public static var track: Atom { Atom(rawValue: 79) }
  @inlinable public static var map: Atom { Atom(rawValue: 80) }
  @inlinable public static var area: Atom { Atom(rawValue: 81) }
  @inlinable public static var table: Atom { Atom(rawValue: 82) }
  @inlinable public static var caption: Atom { Atom(rawValue: 83) }
  @inlinable public static var colgroup: Atom { Atom(rawValue: 84) }
  @inlinable public static var col: Atom { Atom(rawValue: 85) }
  @inlinable public static var tbody: Atom { Atom(rawValue: 86) }
  @inlinable public static var thead: Atom { Atom(rawValue: 87) }
  @inlinable public static var tfoot: Atom { Atom(rawValue: 88) }
  @inlinable public static var tr: Atom { Atom(rawValue: 89) }
  @inlinable public static var td: Atom { Atom(rawValue: 90) }
  @inlinable public static var th: Atom { Atom(rawValue: 91) }
  @inlinable public static var form: Atom { Atom(rawValue: 92) }
  @inlinable public static var label: Atom { Atom(rawValue: 93) }
  @inlinable public static var input: Atom { Atom(rawValue: 94) }
  @inlinable public static var button: Atom { Atom(rawValue: 95) }
  @inlinable public static var select: Atom { Atom(rawValue: 96) }
  @inlinable public static var datalist: Atom { Atom(rawValue: 97) }
  @inlinable public static var optgroup: Atom { Atom(rawValue: 98) }
  @inlinable public static var option: Atom { Atom(rawValue: 99) }
  @inlinable public static var textarea: Atom { Atom(rawValue: 100) }
  @inlinable public static var output: Atom { Atom(rawValue: 101) }
  @inlinable public static var progress: Atom { Atom(rawValue: 102) }
  @inlinable public static var meter: Atom { Atom(rawValue: 103) }
  @inlinable public static var fieldset: Atom { Atom(rawValue: 104) }
  @inlinable public static var legend: Atom { Atom(rawValue: 105) }
  @inlinable public static var details: Atom { Atom(rawValue: 106) }
  @inlinable public static var summary: Atom { Atom(rawValue: 107) }
  @inlinable public static var dialog: Atom { Atom(rawValue: 108) }
  @inlinable public static var script: Atom { Atom(rawValue: 109) }
  @inlinable public static var noscript: Atom { Atom(rawValue: 110) }
  @inlinable public static var template: Atom { Atom(rawValue: 111) }
  @inlinable public static var slot: Atom { Atom(rawValue: 112) }
  @inlinable public static var canvas: Atom { Atom(rawValue: 113) }
  @inlinable public static var acronym: Atom { Atom(rawValue: 114) }
  @inlinable public static var applet: Atom { Atom(rawValue: 115) }
  @inlinable public static var basefont: Atom { Atom(rawValue: 116) }
  @inlinable public static var bgsound: Atom { Atom(rawValue: 117) }
  @inlinable public static var big: Atom { Atom(rawValue: 118) }
  @inlinable public static var blink: Atom { Atom(rawValue: 119) }
  @inlinable public static var center: Atom { Atom(rawValue: 120) }
  @inlinable public static var dir: Atom { Atom(rawValue: 121) }
  @inlinable public static var font: Atom { Atom(rawValue: 122) }
  @inlinable public static var frame: Atom { Atom(rawValue: 123) }
  @inlinable public static var frameset: Atom { Atom(rawValue: 124) }
  @inlinable public static var image: Atom { Atom(rawValue: 125) }
  @inlinable public static var isindex: Atom { Atom(rawValue: 126) }
  @inlinable public static var keygen: Atom { Atom(rawValue: 127) }
  @inlinable public static var listing: Atom { Atom(rawValue: 128) }
  @inlinable public static var marquee: Atom { Atom(rawValue: 129) }
  @inlinable public static var multicol: Atom { Atom(rawValue: 130) }
  @inlinable public static var nextid: Atom { Atom(rawValue: 131) }
  @inlinable public static var nobr: Atom { Atom(rawValue: 132) }
  @inlinable public static var noembed: Atom { Atom(rawValue: 133) }
  @inlinable public static var noframes: Atom { Atom(rawValue: 134) }
  @inlinable public static var plaintext: Atom { Atom(rawValue: 135) }
  @inlinable public static var spacer: Atom { Atom(rawValue: 136) }
  @inlinable public static var strike: Atom { Atom(rawValue: 137) }
  @inlinable public static var tt: Atom { Atom(rawValue: 138) }
  @inlinable public static var xmp: Atom { Atom(rawValue: 139) }
  @inlinable public static var search: Atom { Atom(rawValue: 140) }
  @inlinable public static var svg: Atom { Atom(rawValue: 141) }
  @inlinable public static var g: Atom { Atom(rawValue: 142) }
  @inlinable public static var defs: Atom { Atom(rawValue: 143) }
  @inlinable public static var symbol: Atom { Atom(rawValue: 144) }
  @inlinable public static var use: Atom { Atom(rawValue: 145) }
  @inlinable public static var path: Atom { Atom(rawValue: 146) }
  @inlinable public static var rect: Atom { Atom(rawValue: 147) }
  @inlinable public static var circle: Atom { Atom(rawValue: 148) }
  @inlinable public static var ellipse: Atom { Atom(rawValue: 149) }
  @inlinable public static var line: Atom { Atom(rawValue: 150) }
  @inlinable public static var polyline: Atom { Atom(rawValue: 151) }
  @inlinable public static var polygon: Atom { Atom(rawValue: 152) }
  @inlinable public static var text: Atom { Atom(rawValue: 153) }
  @inlinable public static var tspan: Atom { Atom(rawValue: 154) }
  @inlinable public static var textPath: Atom { Atom(rawValue: 155) }
  @inlinable public static var foreignObject: Atom { Atom(rawValue: 156) }
  @inlinable public static var `switch`: Atom { Atom(rawValue: 157) }
  @inlinable public static var desc: Atom { Atom(rawValue: 158) }
  @inlinable public static var metadata: Atom { Atom(rawValue: 159) }
  @inlinable public static var linearGradient: Atom { Atom(rawValue: 160) }
  @inlinable public static var radialGradient: Atom { Atom(rawValue: 161) }
  @inlinable public static var stop: Atom { Atom(rawValue: 162) }
  @inlinable public static var clipPath: Atom { Atom(rawValue: 163) }
  @inlinable public static var mask: Atom { Atom(rawValue: 164) }
  @inlinable public static var filter: Atom { Atom(rawValue: 165) }
  @inlinable public static var pattern: Atom { Atom(rawValue: 166) }
  @inlinable public static var marker: Atom { Atom(rawValue: 167) }
  @inlinable public static var view: Atom { Atom(rawValue: 168) }
  @inlinable public static var animate: Atom { Atom(rawValue: 169) }
  @inlinable public static var `set`: Atom { Atom(rawValue: 170) }
  @inlinable public static var math: Atom { Atom(rawValue: 171) }
  @inlinable public static var mi: Atom { Atom(rawValue: 172) }
  @inlinable public static var mn: Atom { Atom(rawValue: 173) }
  @inlinable public static var mo: Atom { Atom(rawValue: 174) }
  @inlinable public static var ms: Atom { Atom(rawValue: 175) }
  @inlinable public static var mtext: Atom { Atom(rawValue: 176) }
  @inlinable public static var mspace: Atom { Atom(rawValue: 177) }
  @inlinable public static var mrow: Atom { Atom(rawValue: 178) }
  @inlinable public static var mfrac: Atom { Atom(rawValue: 179) }
  @inlinable public static var msqrt: Atom { Atom(rawValue: 180) }
  @inlinable public static var mroot: Atom { Atom(rawValue: 181) }
  @inlinable public static var mstyle: Atom { Atom(rawValue: 182) }
  @inlinable public static var merror: Atom { Atom(rawValue: 183) }
  @inlinable public static var mpadded: Atom { Atom(rawValue: 184) }
  @inlinable public static var mphantom: Atom { Atom(rawValue: 185) }
  @inlinable public static var mfenced: Atom { Atom(rawValue: 186) }
  @inlinable public static var menclose: Atom { Atom(rawValue: 187) }
  @inlinable public static var msub: Atom { Atom(rawValue: 188) }
  @inlinable public static var msup: Atom { Atom(rawValue: 189) }
  @inlinable public static var msubsup: Atom { Atom(rawValue: 190) }
  @inlinable public static var munder: Atom { Atom(rawValue: 191) }
  @inlinable public static var mover: Atom { Atom(rawValue: 192) }
  @inlinable public static var munderover: Atom { Atom(rawValue: 193) }
  @inlinable public static var mmultiscripts: Atom { Atom(rawValue: 194) }
  @inlinable public static var mprescripts: Atom { Atom(rawValue: 195) }
  @inlinable public static var noneElement: Atom { Atom(rawValue: 196) }
  @inlinable public static var mtable: Atom { Atom(rawValue: 197) }
  @inlinable public static var mtr: Atom { Atom(rawValue: 198) }
  @inlinable public static var mtd: Atom { Atom(rawValue: 199) }
  @inlinable public static var mlabeledtr: Atom { Atom(rawValue: 200) }
  @inlinable public static var maction: Atom { Atom(rawValue: 201) }
  @inlinable public static var semantics: Atom { Atom(rawValue: 202) }
  @inlinable public static var annotation: Atom { Atom(rawValue: 203) }
  @inlinable public static var annotationXml: Atom { Atom(rawValue: 204) }
  @inlinable public static var id: Atom { Atom(rawValue: 205) }
  @inlinable public static var `class`: Atom { Atom(rawValue: 206) }
  @inlinable public static var lang: Atom { Atom(rawValue: 207) }
  @inlinable public static var href: Atom { Atom(rawValue: 208) }
  @inlinable public static var src: Atom { Atom(rawValue: 209) }
  @inlinable public static var alt: Atom { Atom(rawValue: 210) }
  @inlinable public static var width: Atom { Atom(rawValue: 211) }
  @inlinable public static var height: Atom { Atom(rawValue: 212) }
  @inlinable public static var align: Atom { Atom(rawValue: 213) }
  @inlinable public static var valign: Atom { Atom(rawValue: 214) }
  @inlinable public static var bgcolor: Atom { Atom(rawValue: 215) }
  @inlinable public static var color: Atom { Atom(rawValue: 216) }
  @inlinable public static var face: Atom { Atom(rawValue: 217) }
  @inlinable public static var size: Atom { Atom(rawValue: 218) }
  @inlinable public static var border: Atom { Atom(rawValue: 219) }
  @inlinable public static var cellpadding: Atom { Atom(rawValue: 220) }
  @inlinable public static var cellspacing: Atom { Atom(rawValue: 221) }
  @inlinable public static var colspan: Atom { Atom(rawValue: 222) }
  @inlinable public static var rowspan: Atom { Atom(rawValue: 223) }
  @inlinable public static var start: Atom { Atom(rawValue: 224) }
  @inlinable public static var value: Atom { Atom(rawValue: 225) }
  @inlinable public static var type: Atom { Atom(rawValue: 226) }
  @inlinable public static var reversed: Atom { Atom(rawValue: 227) }
  @inlinable public static var name: Atom { Atom(rawValue: 228) }
  @inlinable public static var rel: Atom { Atom(rawValue: 229) }
  @inlinable public static var media: Atom { Atom(rawValue: 230) }
  @inlinable public static var charset: Atom { Atom(rawValue: 231) }
  @inlinable public static var content: Atom { Atom(rawValue: 232) }
  @inlinable public static var httpEquiv: Atom { Atom(rawValue: 233) }
  @inlinable public static var hidden: Atom { Atom(rawValue: 234) }
  @inlinable public static var nowrap: Atom { Atom(rawValue: 235) }
  @inlinable public static var background: Atom { Atom(rawValue: 236) }
  @inlinable public static var hspace: Atom { Atom(rawValue: 237) }
  @inlinable public static var vspace: Atom { Atom(rawValue: 238) }
  @inlinable public static var clear: Atom { Atom(rawValue: 239) }
  @inlinable public static var compact: Atom { Atom(rawValue: 240) }
  @inlinable public static var noshade: Atom { Atom(rawValue: 241) }
  @inlinable public static var rules: Atom { Atom(rawValue: 242) }
  @inlinable public static var headers: Atom { Atom(rawValue: 243) }
  @inlinable public static var scope: Atom { Atom(rawValue: 244) }
  @inlinable public static var datetime: Atom { Atom(rawValue: 245) }
  @inlinable public static var poster: Atom { Atom(rawValue: 246) }
  @inlinable public static var usemap: Atom { Atom(rawValue: 247) }
  @inlinable public static var shape: Atom { Atom(rawValue: 248) }
  @inlinable public static var coords: Atom { Atom(rawValue: 249) }
  @inlinable public static var role: Atom { Atom(rawValue: 250) }
  @inlinable public static var vlink: Atom { Atom(rawValue: 251) }
  @inlinable public static var alink: Atom { Atom(rawValue: 252) }
  @inlinable public static var epubType: Atom { Atom(rawValue: 253) }
  @inlinable public static var epubPrefix: Atom { Atom(rawValue: 254) }
  @inlinable public static var xmlLang: Atom { Atom(rawValue: 255) }
  @inlinable public static var xmlSpace: Atom { Atom(rawValue: 256) }
  @inlinable public static var xmlId: Atom { Atom(rawValue: 257) }
  @inlinable public static var xmlBase: Atom { Atom(rawValue: 258) }
  @inlinable public static var xlinkHref: Atom { Atom(rawValue: 259) }
  @inlinable public static var xlinkTitle: Atom { Atom(rawValue: 260) }
  @inlinable public static var xmlns: Atom { Atom(rawValue: 261) }
  @inlinable public static var viewBox: Atom { Atom(rawValue: 262) }
  @inlinable public static var preserveAspectRatio: Atom { Atom(rawValue: 263) }
  @inlinable public static var display: Atom { Atom(rawValue: 264) }
  @inlinable public static var mathvariant: Atom { Atom(rawValue: 265) }
  @inlinable public static var mathsize: Atom { Atom(rawValue: 266) }
  @inlinable public static var mathcolor: Atom { Atom(rawValue: 267) }
  @inlinable public static var mathbackground: Atom { Atom(rawValue: 268) }
  @inlinable public static var stretchy: Atom { Atom(rawValue: 269) }
  @inlinable public static var fence: Atom { Atom(rawValue: 270) }
  @inlinable public static var separator: Atom { Atom(rawValue: 271) }
  @inlinable public static var lspace: Atom { Atom(rawValue: 272) }
  @inlinable public static var rspace: Atom { Atom(rawValue: 273) }
  @inlinable public static var accent: Atom { Atom(rawValue: 274) }
  @inlinable public static var accentunder: Atom { Atom(rawValue: 275) }
  @inlinable public static var linethickness: Atom { Atom(rawValue: 276) }
  @inlinable public static var columnalign: Atom { Atom(rawValue: 277) }
  @inlinable public static var rowalign: Atom { Atom(rawValue: 278) }
  @inlinable public static var `open`: Atom { Atom(rawValue: 279) }
  @inlinable public static var close: Atom { Atom(rawValue: 280) }
  @inlinable public static var separators: Atom { Atom(rawValue: 281) }
  @inlinable public static var ariaLabel: Atom { Atom(rawValue: 282) }
  @inlinable public static var ariaHidden: Atom { Atom(rawValue: 283) }
  @inlinable public static var ariaLabelledby: Atom { Atom(rawValue: 284) }
  @inlinable public static var ariaDescribedby: Atom { Atom(rawValue: 285) }
  @inlinable public static var ariaLevel: Atom { Atom(rawValue: 286) }
  @inlinable public static var srcset: Atom { Atom(rawValue: 287) }
  @inlinable public static var sizes: Atom { Atom(rawValue: 288) }
  @inlinable public static var download: Atom { Atom(rawValue: 289) }
  @inlinable public static var target: Atom { Atom(rawValue: 290) }
  @inlinable public static var property: Atom { Atom(rawValue: 291) }
  @inlinable public static var refines: Atom { Atom(rawValue: 292) }
  @inlinable public static var idref: Atom { Atom(rawValue: 293) }
  @inlinable public static var linear: Atom { Atom(rawValue: 294) }
  @inlinable public static var fullPath: Atom { Atom(rawValue: 295) }
  @inlinable public static var mediaType: Atom { Atom(rawValue: 296) }
  @inlinable public static var item: Atom { Atom(rawValue: 297) }
  @inlinable public static var itemref: Atom { Atom(rawValue: 298) }
  @inlinable public static var manifest: Atom { Atom(rawValue: 299) }
  @inlinable public static var spine: Atom { Atom(rawValue: 300) }
  @inlinable public static var package: Atom { Atom(rawValue: 301) }
  @inlinable public static var container: Atom { Atom(rawValue: 302) }
  @inlinable public static var rootfile: Atom { Atom(rawValue: 303) }
  @inlinable public static var rootfiles: Atom { Atom(rawValue: 304) }
  @inlinable public static var navMap: Atom { Atom(rawValue: 305) }
  @inlinable public static var navPoint: Atom { Atom(rawValue: 306) }
  @inlinable public static var navLabel: Atom { Atom(rawValue: 307) }
  @inlinable public static var pageList: Atom { Atom(rawValue: 308) }
  @inlinable public static var pageTarget: Atom { Atom(rawValue: 309) }
  @inlinable public static var playOrder: Atom { Atom(rawValue: 310) }
  @inlinable public static var ncx: Atom { Atom(rawValue: 311) }
  @inlinable public static var toc: Atom { Atom(rawValue: 312) }
  @inlinable public static var version: Atom { Atom(rawValue: 313) }
  @inlinable public static var uniqueIdentifier: Atom { Atom(rawValue: 314) }
  @inlinable public static var scheme: Atom { Atom(rawValue: 315) }
}

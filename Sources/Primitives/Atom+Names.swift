/// The names of HTML, SVG, MathML, EPUB and NCX that the engine speaks of. The order is fixed: ids follow it.
extension Atom {
  /// The number of static names.
  @usableFromInline package static let staticCount: UInt32 = 336

  /// The static names by id.
  package static let staticNames: [String] = [
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
    "x", "y", "dx", "dy", "rotate", "text-anchor", "font-family", "font-size", "font-style", "font-weight",
    "font-variant", "font-stretch", "letter-spacing", "word-spacing", "dominant-baseline", "direction",
    "displaystyle", "movablelimits", "columnspan", "depth",
  ]

  static let staticIDs: [String: UInt32] = {
    var ids = [String: UInt32](minimumCapacity: staticNames.count)
    for (index, name) in staticNames.enumerated() { ids[name] = UInt32(index) }
    return ids
  }()

  @inlinable package static var html: Atom { Atom(rawValue: 0) }
  @inlinable package static var head: Atom { Atom(rawValue: 1) }
  @inlinable package static var title: Atom { Atom(rawValue: 2) }
  @inlinable package static var base: Atom { Atom(rawValue: 3) }
  @inlinable package static var link: Atom { Atom(rawValue: 4) }
  @inlinable package static var meta: Atom { Atom(rawValue: 5) }
  @inlinable package static var style: Atom { Atom(rawValue: 6) }
  @inlinable package static var body: Atom { Atom(rawValue: 7) }
  @inlinable package static var article: Atom { Atom(rawValue: 8) }
  @inlinable package static var section: Atom { Atom(rawValue: 9) }
  @inlinable package static var nav: Atom { Atom(rawValue: 10) }
  @inlinable package static var aside: Atom { Atom(rawValue: 11) }
  @inlinable package static var h1: Atom { Atom(rawValue: 12) }
  @inlinable package static var h2: Atom { Atom(rawValue: 13) }
  @inlinable package static var h3: Atom { Atom(rawValue: 14) }
  @inlinable package static var h4: Atom { Atom(rawValue: 15) }
  @inlinable package static var h5: Atom { Atom(rawValue: 16) }
  @inlinable package static var h6: Atom { Atom(rawValue: 17) }
  @inlinable package static var hgroup: Atom { Atom(rawValue: 18) }
  @inlinable package static var header: Atom { Atom(rawValue: 19) }
  @inlinable package static var footer: Atom { Atom(rawValue: 20) }
  @inlinable package static var address: Atom { Atom(rawValue: 21) }
  @inlinable package static var p: Atom { Atom(rawValue: 22) }
  @inlinable package static var hr: Atom { Atom(rawValue: 23) }
  @inlinable package static var pre: Atom { Atom(rawValue: 24) }
  @inlinable package static var blockquote: Atom { Atom(rawValue: 25) }
  @inlinable package static var ol: Atom { Atom(rawValue: 26) }
  @inlinable package static var ul: Atom { Atom(rawValue: 27) }
  @inlinable package static var menu: Atom { Atom(rawValue: 28) }
  @inlinable package static var li: Atom { Atom(rawValue: 29) }
  @inlinable package static var dl: Atom { Atom(rawValue: 30) }
  @inlinable package static var dt: Atom { Atom(rawValue: 31) }
  @inlinable package static var dd: Atom { Atom(rawValue: 32) }
  @inlinable package static var figure: Atom { Atom(rawValue: 33) }
  @inlinable package static var figcaption: Atom { Atom(rawValue: 34) }
  @inlinable package static var main: Atom { Atom(rawValue: 35) }
  @inlinable package static var div: Atom { Atom(rawValue: 36) }
  @inlinable package static var a: Atom { Atom(rawValue: 37) }
  @inlinable package static var em: Atom { Atom(rawValue: 38) }
  @inlinable package static var strong: Atom { Atom(rawValue: 39) }
  @inlinable package static var small: Atom { Atom(rawValue: 40) }
  @inlinable package static var s: Atom { Atom(rawValue: 41) }
  @inlinable package static var cite: Atom { Atom(rawValue: 42) }
  @inlinable package static var q: Atom { Atom(rawValue: 43) }
  @inlinable package static var dfn: Atom { Atom(rawValue: 44) }
  @inlinable package static var abbr: Atom { Atom(rawValue: 45) }
  @inlinable package static var ruby: Atom { Atom(rawValue: 46) }
  @inlinable package static var rb: Atom { Atom(rawValue: 47) }
  @inlinable package static var rt: Atom { Atom(rawValue: 48) }
  @inlinable package static var rtc: Atom { Atom(rawValue: 49) }
  @inlinable package static var rp: Atom { Atom(rawValue: 50) }
  @inlinable package static var data: Atom { Atom(rawValue: 51) }
  @inlinable package static var time: Atom { Atom(rawValue: 52) }
  @inlinable package static var code: Atom { Atom(rawValue: 53) }
  @inlinable package static var `var`: Atom { Atom(rawValue: 54) }
  @inlinable package static var samp: Atom { Atom(rawValue: 55) }
  @inlinable package static var kbd: Atom { Atom(rawValue: 56) }
  @inlinable package static var sub: Atom { Atom(rawValue: 57) }
  @inlinable package static var sup: Atom { Atom(rawValue: 58) }
  @inlinable package static var i: Atom { Atom(rawValue: 59) }
  @inlinable package static var b: Atom { Atom(rawValue: 60) }
  @inlinable package static var u: Atom { Atom(rawValue: 61) }
  @inlinable package static var mark: Atom { Atom(rawValue: 62) }
  @inlinable package static var bdi: Atom { Atom(rawValue: 63) }
  @inlinable package static var bdo: Atom { Atom(rawValue: 64) }
  @inlinable package static var span: Atom { Atom(rawValue: 65) }
  @inlinable package static var br: Atom { Atom(rawValue: 66) }
  @inlinable package static var wbr: Atom { Atom(rawValue: 67) }
  @inlinable package static var ins: Atom { Atom(rawValue: 68) }
  @inlinable package static var del: Atom { Atom(rawValue: 69) }
  @inlinable package static var picture: Atom { Atom(rawValue: 70) }
  @inlinable package static var source: Atom { Atom(rawValue: 71) }
  @inlinable package static var img: Atom { Atom(rawValue: 72) }
  @inlinable package static var iframe: Atom { Atom(rawValue: 73) }
  @inlinable package static var embed: Atom { Atom(rawValue: 74) }
  @inlinable package static var object: Atom { Atom(rawValue: 75) }
  @inlinable package static var param: Atom { Atom(rawValue: 76) }
  @inlinable package static var video: Atom { Atom(rawValue: 77) }
  @inlinable package static var audio: Atom { Atom(rawValue: 78) }
  @inlinable package static var track: Atom { Atom(rawValue: 79) }
  @inlinable package static var map: Atom { Atom(rawValue: 80) }
  @inlinable package static var area: Atom { Atom(rawValue: 81) }
  @inlinable package static var table: Atom { Atom(rawValue: 82) }
  @inlinable package static var caption: Atom { Atom(rawValue: 83) }
  @inlinable package static var colgroup: Atom { Atom(rawValue: 84) }
  @inlinable package static var col: Atom { Atom(rawValue: 85) }
  @inlinable package static var tbody: Atom { Atom(rawValue: 86) }
  @inlinable package static var thead: Atom { Atom(rawValue: 87) }
  @inlinable package static var tfoot: Atom { Atom(rawValue: 88) }
  @inlinable package static var tr: Atom { Atom(rawValue: 89) }
  @inlinable package static var td: Atom { Atom(rawValue: 90) }
  @inlinable package static var th: Atom { Atom(rawValue: 91) }
  @inlinable package static var form: Atom { Atom(rawValue: 92) }
  @inlinable package static var label: Atom { Atom(rawValue: 93) }
  @inlinable package static var input: Atom { Atom(rawValue: 94) }
  @inlinable package static var button: Atom { Atom(rawValue: 95) }
  @inlinable package static var select: Atom { Atom(rawValue: 96) }
  @inlinable package static var datalist: Atom { Atom(rawValue: 97) }
  @inlinable package static var optgroup: Atom { Atom(rawValue: 98) }
  @inlinable package static var option: Atom { Atom(rawValue: 99) }
  @inlinable package static var textarea: Atom { Atom(rawValue: 100) }
  @inlinable package static var output: Atom { Atom(rawValue: 101) }
  @inlinable package static var progress: Atom { Atom(rawValue: 102) }
  @inlinable package static var meter: Atom { Atom(rawValue: 103) }
  @inlinable package static var fieldset: Atom { Atom(rawValue: 104) }
  @inlinable package static var legend: Atom { Atom(rawValue: 105) }
  @inlinable package static var details: Atom { Atom(rawValue: 106) }
  @inlinable package static var summary: Atom { Atom(rawValue: 107) }
  @inlinable package static var dialog: Atom { Atom(rawValue: 108) }
  @inlinable package static var script: Atom { Atom(rawValue: 109) }
  @inlinable package static var noscript: Atom { Atom(rawValue: 110) }
  @inlinable package static var template: Atom { Atom(rawValue: 111) }
  @inlinable package static var slot: Atom { Atom(rawValue: 112) }
  @inlinable package static var canvas: Atom { Atom(rawValue: 113) }
  @inlinable package static var acronym: Atom { Atom(rawValue: 114) }
  @inlinable package static var applet: Atom { Atom(rawValue: 115) }
  @inlinable package static var basefont: Atom { Atom(rawValue: 116) }
  @inlinable package static var bgsound: Atom { Atom(rawValue: 117) }
  @inlinable package static var big: Atom { Atom(rawValue: 118) }
  @inlinable package static var blink: Atom { Atom(rawValue: 119) }
  @inlinable package static var center: Atom { Atom(rawValue: 120) }
  @inlinable package static var dir: Atom { Atom(rawValue: 121) }
  @inlinable package static var font: Atom { Atom(rawValue: 122) }
  @inlinable package static var frame: Atom { Atom(rawValue: 123) }
  @inlinable package static var frameset: Atom { Atom(rawValue: 124) }
  @inlinable package static var image: Atom { Atom(rawValue: 125) }
  @inlinable package static var isindex: Atom { Atom(rawValue: 126) }
  @inlinable package static var keygen: Atom { Atom(rawValue: 127) }
  @inlinable package static var listing: Atom { Atom(rawValue: 128) }
  @inlinable package static var marquee: Atom { Atom(rawValue: 129) }
  @inlinable package static var multicol: Atom { Atom(rawValue: 130) }
  @inlinable package static var nextid: Atom { Atom(rawValue: 131) }
  @inlinable package static var nobr: Atom { Atom(rawValue: 132) }
  @inlinable package static var noembed: Atom { Atom(rawValue: 133) }
  @inlinable package static var noframes: Atom { Atom(rawValue: 134) }
  @inlinable package static var plaintext: Atom { Atom(rawValue: 135) }
  @inlinable package static var spacer: Atom { Atom(rawValue: 136) }
  @inlinable package static var strike: Atom { Atom(rawValue: 137) }
  @inlinable package static var tt: Atom { Atom(rawValue: 138) }
  @inlinable package static var xmp: Atom { Atom(rawValue: 139) }
  @inlinable package static var search: Atom { Atom(rawValue: 140) }
  @inlinable package static var svg: Atom { Atom(rawValue: 141) }
  @inlinable package static var g: Atom { Atom(rawValue: 142) }
  @inlinable package static var defs: Atom { Atom(rawValue: 143) }
  @inlinable package static var symbol: Atom { Atom(rawValue: 144) }
  @inlinable package static var use: Atom { Atom(rawValue: 145) }
  @inlinable package static var path: Atom { Atom(rawValue: 146) }
  @inlinable package static var rect: Atom { Atom(rawValue: 147) }
  @inlinable package static var circle: Atom { Atom(rawValue: 148) }
  @inlinable package static var ellipse: Atom { Atom(rawValue: 149) }
  @inlinable package static var line: Atom { Atom(rawValue: 150) }
  @inlinable package static var polyline: Atom { Atom(rawValue: 151) }
  @inlinable package static var polygon: Atom { Atom(rawValue: 152) }
  @inlinable package static var text: Atom { Atom(rawValue: 153) }
  @inlinable package static var tspan: Atom { Atom(rawValue: 154) }
  @inlinable package static var textPath: Atom { Atom(rawValue: 155) }
  @inlinable package static var foreignObject: Atom { Atom(rawValue: 156) }
  @inlinable package static var `switch`: Atom { Atom(rawValue: 157) }
  @inlinable package static var desc: Atom { Atom(rawValue: 158) }
  @inlinable package static var metadata: Atom { Atom(rawValue: 159) }
  @inlinable package static var linearGradient: Atom { Atom(rawValue: 160) }
  @inlinable package static var radialGradient: Atom { Atom(rawValue: 161) }
  @inlinable package static var stop: Atom { Atom(rawValue: 162) }
  @inlinable package static var clipPath: Atom { Atom(rawValue: 163) }
  @inlinable package static var mask: Atom { Atom(rawValue: 164) }
  @inlinable package static var filter: Atom { Atom(rawValue: 165) }
  @inlinable package static var pattern: Atom { Atom(rawValue: 166) }
  @inlinable package static var marker: Atom { Atom(rawValue: 167) }
  @inlinable package static var view: Atom { Atom(rawValue: 168) }
  @inlinable package static var animate: Atom { Atom(rawValue: 169) }
  @inlinable package static var `set`: Atom { Atom(rawValue: 170) }
  @inlinable package static var math: Atom { Atom(rawValue: 171) }
  @inlinable package static var mi: Atom { Atom(rawValue: 172) }
  @inlinable package static var mn: Atom { Atom(rawValue: 173) }
  @inlinable package static var mo: Atom { Atom(rawValue: 174) }
  @inlinable package static var ms: Atom { Atom(rawValue: 175) }
  @inlinable package static var mtext: Atom { Atom(rawValue: 176) }
  @inlinable package static var mspace: Atom { Atom(rawValue: 177) }
  @inlinable package static var mrow: Atom { Atom(rawValue: 178) }
  @inlinable package static var mfrac: Atom { Atom(rawValue: 179) }
  @inlinable package static var msqrt: Atom { Atom(rawValue: 180) }
  @inlinable package static var mroot: Atom { Atom(rawValue: 181) }
  @inlinable package static var mstyle: Atom { Atom(rawValue: 182) }
  @inlinable package static var merror: Atom { Atom(rawValue: 183) }
  @inlinable package static var mpadded: Atom { Atom(rawValue: 184) }
  @inlinable package static var mphantom: Atom { Atom(rawValue: 185) }
  @inlinable package static var mfenced: Atom { Atom(rawValue: 186) }
  @inlinable package static var menclose: Atom { Atom(rawValue: 187) }
  @inlinable package static var msub: Atom { Atom(rawValue: 188) }
  @inlinable package static var msup: Atom { Atom(rawValue: 189) }
  @inlinable package static var msubsup: Atom { Atom(rawValue: 190) }
  @inlinable package static var munder: Atom { Atom(rawValue: 191) }
  @inlinable package static var mover: Atom { Atom(rawValue: 192) }
  @inlinable package static var munderover: Atom { Atom(rawValue: 193) }
  @inlinable package static var mmultiscripts: Atom { Atom(rawValue: 194) }
  @inlinable package static var mprescripts: Atom { Atom(rawValue: 195) }
  @inlinable package static var noneElement: Atom { Atom(rawValue: 196) }
  @inlinable package static var mtable: Atom { Atom(rawValue: 197) }
  @inlinable package static var mtr: Atom { Atom(rawValue: 198) }
  @inlinable package static var mtd: Atom { Atom(rawValue: 199) }
  @inlinable package static var mlabeledtr: Atom { Atom(rawValue: 200) }
  @inlinable package static var maction: Atom { Atom(rawValue: 201) }
  @inlinable package static var semantics: Atom { Atom(rawValue: 202) }
  @inlinable package static var annotation: Atom { Atom(rawValue: 203) }
  @inlinable package static var annotationXml: Atom { Atom(rawValue: 204) }
  @inlinable package static var id: Atom { Atom(rawValue: 205) }
  @inlinable package static var `class`: Atom { Atom(rawValue: 206) }
  @inlinable package static var lang: Atom { Atom(rawValue: 207) }
  @inlinable package static var href: Atom { Atom(rawValue: 208) }
  @inlinable package static var src: Atom { Atom(rawValue: 209) }
  @inlinable package static var alt: Atom { Atom(rawValue: 210) }
  @inlinable package static var width: Atom { Atom(rawValue: 211) }
  @inlinable package static var height: Atom { Atom(rawValue: 212) }
  @inlinable package static var align: Atom { Atom(rawValue: 213) }
  @inlinable package static var valign: Atom { Atom(rawValue: 214) }
  @inlinable package static var bgcolor: Atom { Atom(rawValue: 215) }
  @inlinable package static var color: Atom { Atom(rawValue: 216) }
  @inlinable package static var face: Atom { Atom(rawValue: 217) }
  @inlinable package static var size: Atom { Atom(rawValue: 218) }
  @inlinable package static var border: Atom { Atom(rawValue: 219) }
  @inlinable package static var cellpadding: Atom { Atom(rawValue: 220) }
  @inlinable package static var cellspacing: Atom { Atom(rawValue: 221) }
  @inlinable package static var colspan: Atom { Atom(rawValue: 222) }
  @inlinable package static var rowspan: Atom { Atom(rawValue: 223) }
  @inlinable package static var start: Atom { Atom(rawValue: 224) }
  @inlinable package static var value: Atom { Atom(rawValue: 225) }
  @inlinable package static var type: Atom { Atom(rawValue: 226) }
  @inlinable package static var reversed: Atom { Atom(rawValue: 227) }
  @inlinable package static var name: Atom { Atom(rawValue: 228) }
  @inlinable package static var rel: Atom { Atom(rawValue: 229) }
  @inlinable package static var media: Atom { Atom(rawValue: 230) }
  @inlinable package static var charset: Atom { Atom(rawValue: 231) }
  @inlinable package static var content: Atom { Atom(rawValue: 232) }
  @inlinable package static var httpEquiv: Atom { Atom(rawValue: 233) }
  @inlinable package static var hidden: Atom { Atom(rawValue: 234) }
  @inlinable package static var nowrap: Atom { Atom(rawValue: 235) }
  @inlinable package static var background: Atom { Atom(rawValue: 236) }
  @inlinable package static var hspace: Atom { Atom(rawValue: 237) }
  @inlinable package static var vspace: Atom { Atom(rawValue: 238) }
  @inlinable package static var clear: Atom { Atom(rawValue: 239) }
  @inlinable package static var compact: Atom { Atom(rawValue: 240) }
  @inlinable package static var noshade: Atom { Atom(rawValue: 241) }
  @inlinable package static var rules: Atom { Atom(rawValue: 242) }
  @inlinable package static var headers: Atom { Atom(rawValue: 243) }
  @inlinable package static var scope: Atom { Atom(rawValue: 244) }
  @inlinable package static var datetime: Atom { Atom(rawValue: 245) }
  @inlinable package static var poster: Atom { Atom(rawValue: 246) }
  @inlinable package static var usemap: Atom { Atom(rawValue: 247) }
  @inlinable package static var shape: Atom { Atom(rawValue: 248) }
  @inlinable package static var coords: Atom { Atom(rawValue: 249) }
  @inlinable package static var role: Atom { Atom(rawValue: 250) }
  @inlinable package static var vlink: Atom { Atom(rawValue: 251) }
  @inlinable package static var alink: Atom { Atom(rawValue: 252) }
  @inlinable package static var epubType: Atom { Atom(rawValue: 253) }
  @inlinable package static var epubPrefix: Atom { Atom(rawValue: 254) }
  @inlinable package static var xmlLang: Atom { Atom(rawValue: 255) }
  @inlinable package static var xmlSpace: Atom { Atom(rawValue: 256) }
  @inlinable package static var xmlId: Atom { Atom(rawValue: 257) }
  @inlinable package static var xmlBase: Atom { Atom(rawValue: 258) }
  @inlinable package static var xlinkHref: Atom { Atom(rawValue: 259) }
  @inlinable package static var xlinkTitle: Atom { Atom(rawValue: 260) }
  @inlinable package static var xmlns: Atom { Atom(rawValue: 261) }
  @inlinable package static var viewBox: Atom { Atom(rawValue: 262) }
  @inlinable package static var preserveAspectRatio: Atom { Atom(rawValue: 263) }
  @inlinable package static var display: Atom { Atom(rawValue: 264) }
  @inlinable package static var mathvariant: Atom { Atom(rawValue: 265) }
  @inlinable package static var mathsize: Atom { Atom(rawValue: 266) }
  @inlinable package static var mathcolor: Atom { Atom(rawValue: 267) }
  @inlinable package static var mathbackground: Atom { Atom(rawValue: 268) }
  @inlinable package static var stretchy: Atom { Atom(rawValue: 269) }
  @inlinable package static var fence: Atom { Atom(rawValue: 270) }
  @inlinable package static var separator: Atom { Atom(rawValue: 271) }
  @inlinable package static var lspace: Atom { Atom(rawValue: 272) }
  @inlinable package static var rspace: Atom { Atom(rawValue: 273) }
  @inlinable package static var accent: Atom { Atom(rawValue: 274) }
  @inlinable package static var accentunder: Atom { Atom(rawValue: 275) }
  @inlinable package static var linethickness: Atom { Atom(rawValue: 276) }
  @inlinable package static var columnalign: Atom { Atom(rawValue: 277) }
  @inlinable package static var rowalign: Atom { Atom(rawValue: 278) }
  @inlinable package static var `open`: Atom { Atom(rawValue: 279) }
  @inlinable package static var close: Atom { Atom(rawValue: 280) }
  @inlinable package static var separators: Atom { Atom(rawValue: 281) }
  @inlinable package static var ariaLabel: Atom { Atom(rawValue: 282) }
  @inlinable package static var ariaHidden: Atom { Atom(rawValue: 283) }
  @inlinable package static var ariaLabelledby: Atom { Atom(rawValue: 284) }
  @inlinable package static var ariaDescribedby: Atom { Atom(rawValue: 285) }
  @inlinable package static var ariaLevel: Atom { Atom(rawValue: 286) }
  @inlinable package static var srcset: Atom { Atom(rawValue: 287) }
  @inlinable package static var sizes: Atom { Atom(rawValue: 288) }
  @inlinable package static var download: Atom { Atom(rawValue: 289) }
  @inlinable package static var target: Atom { Atom(rawValue: 290) }
  @inlinable package static var property: Atom { Atom(rawValue: 291) }
  @inlinable package static var refines: Atom { Atom(rawValue: 292) }
  @inlinable package static var idref: Atom { Atom(rawValue: 293) }
  @inlinable package static var linear: Atom { Atom(rawValue: 294) }
  @inlinable package static var fullPath: Atom { Atom(rawValue: 295) }
  @inlinable package static var mediaType: Atom { Atom(rawValue: 296) }
  @inlinable package static var item: Atom { Atom(rawValue: 297) }
  @inlinable package static var itemref: Atom { Atom(rawValue: 298) }
  @inlinable package static var manifest: Atom { Atom(rawValue: 299) }
  @inlinable package static var spine: Atom { Atom(rawValue: 300) }
  @inlinable package static var package: Atom { Atom(rawValue: 301) }
  @inlinable package static var container: Atom { Atom(rawValue: 302) }
  @inlinable package static var rootfile: Atom { Atom(rawValue: 303) }
  @inlinable package static var rootfiles: Atom { Atom(rawValue: 304) }
  @inlinable package static var navMap: Atom { Atom(rawValue: 305) }
  @inlinable package static var navPoint: Atom { Atom(rawValue: 306) }
  @inlinable package static var navLabel: Atom { Atom(rawValue: 307) }
  @inlinable package static var pageList: Atom { Atom(rawValue: 308) }
  @inlinable package static var pageTarget: Atom { Atom(rawValue: 309) }
  @inlinable package static var playOrder: Atom { Atom(rawValue: 310) }
  @inlinable package static var ncx: Atom { Atom(rawValue: 311) }
  @inlinable package static var toc: Atom { Atom(rawValue: 312) }
  @inlinable package static var version: Atom { Atom(rawValue: 313) }
  @inlinable package static var uniqueIdentifier: Atom { Atom(rawValue: 314) }
  @inlinable package static var scheme: Atom { Atom(rawValue: 315) }
  @inlinable package static var x: Atom { Atom(rawValue: 316) }
  @inlinable package static var y: Atom { Atom(rawValue: 317) }
  @inlinable package static var dx: Atom { Atom(rawValue: 318) }
  @inlinable package static var dy: Atom { Atom(rawValue: 319) }
  @inlinable package static var rotate: Atom { Atom(rawValue: 320) }
  @inlinable package static var textAnchor: Atom { Atom(rawValue: 321) }
  @inlinable package static var fontFamily: Atom { Atom(rawValue: 322) }
  @inlinable package static var fontSize: Atom { Atom(rawValue: 323) }
  @inlinable package static var fontStyle: Atom { Atom(rawValue: 324) }
  @inlinable package static var fontWeight: Atom { Atom(rawValue: 325) }
  @inlinable package static var fontVariant: Atom { Atom(rawValue: 326) }
  @inlinable package static var fontStretch: Atom { Atom(rawValue: 327) }
  @inlinable package static var letterSpacing: Atom { Atom(rawValue: 328) }
  @inlinable package static var wordSpacing: Atom { Atom(rawValue: 329) }
  @inlinable package static var dominantBaseline: Atom { Atom(rawValue: 330) }
  @inlinable package static var direction: Atom { Atom(rawValue: 331) }
  @inlinable package static var displaystyle: Atom { Atom(rawValue: 332) }
  @inlinable package static var movablelimits: Atom { Atom(rawValue: 333) }
  @inlinable package static var columnspan: Atom { Atom(rawValue: 334) }
  @inlinable package static var depth: Atom { Atom(rawValue: 335) }
}

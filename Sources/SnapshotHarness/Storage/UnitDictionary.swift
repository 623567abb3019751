/// What the objects of units in a cache have in common: names of statistics, faces and libraries. Each is compressed by
/// it, so that a small book's object is a third of what it would be.
///
/// It is only worth as much as it is like such an object. Whoever has another reads none that were written by this one.
enum UnitDictionary {
  static let bytes = Array(text.utf8)

  private static let text = #"""
    "images":[{"blob":","images":[],"pixels":[{"page":10,"pixels":"},{"page":2,"pixels":"},{"page":3,"pixels":"\#
    "outcome":"ok-with-warnings","failure":{"phase":"layout","chapter":"","warnings":["\#
    -Italic.otf-BoldItalic.ttf/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc/usr/share/fonts/truetype/\#
    noto/Noto\#
    /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf/usr/share/fonts/opentype/linux-libertine/LinLibertine_RI.otf\#
    "family":"Noto Serif CJK JP","file":"NotoSerifCJK-Regular.ttc","index":0,"family":"Noto Sans",\#
    "file":"NotoSans-Regular.ttf"\#
    ,"style":"Italic","weight":400},"style":"Bold","weight":700},"style":"Bold Italic","weight":700}],\#
    "libraries":["/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",\#
    "/usr/lib/x86_64-linux-gnu/libbrotlicommon.so.1.0.9",\#
    "/usr/lib/x86_64-linux-gnu/libbrotlidec.so.1.0.9","/usr/lib/x86_64-linux-gnu/libc.so.6",\#
    "/usr/lib/x86_64-linux-gnu/libcairo.so.2.11600.0","/usr/lib/x86_64-linux-gnu/libdeflate.so.0",\#
    "/usr/lib/x86_64-linux-gnu/libexpat.so.1.8.10","/usr/lib/x86_64-linux-gnu/libfontconfig.so.1.12.0",\#
    "/usr/lib/x86_64-linux-gnu/libfreetype.so.6.18.3","/usr/lib/x86_64-linux-gnu/libgcc_s.so.1",\#
    "/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0.7400.6","/usr/lib/x86_64-linux-gnu/libgraphite2.so.3.2.1",\#
    "/usr/lib/x86_64-linux-gnu/libharfbuzz.so.0.60000.0","/usr/lib/x86_64-linux-gnu/libhyphen.so.0.3.0",\#
    "/usr/lib/x86_64-linux-gnu/libicudata.so.72.1","/usr/lib/x86_64-linux-gnu/libicuuc.so.72.1",\#
    "/usr/lib/x86_64-linux-gnu/libm.so.6","/usr/lib/x86_64-linux-gnu/libpcre2-8.so.0.11.2",\#
    "/usr/lib/x86_64-linux-gnu/libpng16.so.16.39.0","/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",\#
    "/usr/lib/x86_64-linux-gnu/libxml2.so.2.9.14","/usr/lib/x86_64-linux-gnu/libz.so.1.2.13",\#
    "/usr/lib/x86_64-linux-gnu/libzstd.so.1.5.4"\#
    {"file":{"beside":{},"beyond":"","book":"","cacheKey":"","faces":[{"coordinates":[],"family":"Linux Libertine O",\#
    "file":"LinLibertine_R.otf","index":0,"isBold":false,"isOblique":false,"key":"1587ce96780edd98",\#
    "path":"/usr/share/fonts/opentype/linux-libertine/LinLibertine_R.otf","style":"Regular","weight":400}],\#
    "images":[],\#
    "pixels":[{"page":1,"pixels":""}],"result":{"key":{"book":"","profile":""},"language":"en","outcome":"ok",\#
    "pages":[],\#
    "statistics":{"attributes.longestProbe":1,"attributes.lookups":2,"attributes.probes":2,"attributes.unique":2,\#
    "chapters":1,"characters":20,"child.cpu":100,"child.jobs":1,"child.peakBytes":34410496,"child.wall":200,\#
    "floats.placed":0,"glyphs.drawn":0,"glyphs.missing":0,"glyphs.rasterised":0,"lines":2,"lines.considered":0,\#
    "lines.hyphenated":0,"lines.loose":0,"lines.rivers":0,"lines.set":2,"lines.stacked":0,"memory.peakBytes":32595968,\#
    "pages":1,"paragraphs":2,"positioned.resumed":0,"runs":2,"shaping.cacheHits":0,"shaping.cachedWords":4,\#
    "shaping.calls":4,"shaping.faces":2,"shaping.paragraphs":2,"shaping.plainWords":0,"shaping.units":20,\#
    "shaping.words":4,"styles.elements":6,"styles.sharedHits":0,"styles.unique":6,"time.boxes":0.1,"time.encode":0.7,\#
    "time.firstPage":200,"time.layout":0.4,"time.open":0.8,"time.paint":0.2,"time.parse":0.1,"time.shape":80,\#
    "time.style":0.9,"time.total":97,"time.wall":236},"title":"","warnings":[]},"schema":6},"hashes":" AAAAAAAAAAA\n\#
    ","libraries":["/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2","/usr/share/fonts/opentype/linux-libertine/\#
    LinLibertine_R.otf"],"librariesDigest":"","pages":
    """#
}

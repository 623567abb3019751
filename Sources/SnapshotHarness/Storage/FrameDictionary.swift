/// What frames of a kind have in common: each is compressed by it, since most are too short to repeat much of
/// themselves.
///
/// A frame that was compressed without one is read all the same. The texts stay as they are: stores keep frames that
/// were compressed by them.
extension FrameKind {
  var dictionary: [UInt8] {
    switch self {
    case .display: []
    case .record: Self.recordDictionary
    case .pdf: Self.pdfDictionary
    case .beyond: Self.beyondDictionary
    }
  }

  /// Content as a frame.
  func frame(of content: [UInt8]) -> [UInt8] {
    switch self {
    case .display, .record: Zstd.compress(content, level: 1, dictionary: dictionary)
    case .pdf, .beyond: Zstd.compress(content, level: 5, dictionary: dictionary)
    }
  }

  /// A layout record. What stands last costs least to refer to.
  private static let recordDictionary = Array(
    #"""
    ],"links":[{"href":"#","box":[],"missing":true,"pageBreaks":[{"label":"","box":[],"notes":[{"id":"","box":[\#
    ],"images":[{"href":"","box":[],"alt":"","source":"/4/2"}],"links":[],"notes":[],"overflow":[],"faces":["\#
    {"type":"page","number":0,"chapter":1,"href":"text/chapter-1.xhtml","size":[600,800],"lines":[{"text":"\#
    .8125,.1875,.234375,.265625,.296875,.328125,.359375,.390625,.421875,.453125,.484375,.515625,\#
    .546875,.578125,.609375\#
    ,.640625,.671875,.703125,.734375,.765625,.796875,.828125,.859375,.890625,.921875,.953125,.984375,.015625,.046875\#
    ,.078125,.109375,.140625,.171875,.203125,"dir":"rtl","writing":"vertical-rl","hyphenated":true,"source":{"node":"\#
    ,"scale":1,"expansion":,"letterFit":,"inPicture":true,"marginBox":"top-center","lang":"zh",\#
    "lang":"ja","lang":"ar",\#
    "lang":"de","role":"h1","level":1,"role":"h2","level":2,"role":"li","role":"td","role":"th",\#
    "marker":"1. ","role":"div","lang":"en","style":"","primary":1,"table":"/4/16","runs":[{"font":1,"size":16,\#
    "color":"#000000","text":"","x":48,"width":23,"y":80,"height":672}]},{"text":"","box":[73.21875,48,28.796875,608],\#
    "baseline":88.515625,"dir":"ltr","writing":"vertical-rl","hyphenated":false,"source":{"node":"/4/14","start":41,\#
    "end":79},"role":"p","lang":"en","style":"","primary":0,"runs":[{"font":0,"size":16,"color":"#000000","text":"",\#
    "x":48,"width":480}]},{"text":"","box":[48,145.265625,504,18],"baseline":162.265625,"dir":"ltr",\#
    "writing":"horizontal-tb","hyphenated":false,"source":{"node":"/4/4","start":70,"end":156},"role":"p","lang":"en",\#
    "style":"","primary":0,"runs":[{"font":0,"size":16,"color":"#000000","text":"","x":48,\#
    "width":504},{"font":1,"size":16,\#
    "color":"#000000","text":"
    """#.utf8)

  /// What a page is in a PDF.
  private static let pdfDictionary = Array(
    """
    label decimal Link to https://www. Document/Sect/Figure alt= Document/Sect/Aside/P \
    Document/Sect/Sect/H2 lang=de lang=en
    Document/Sect/Table/TBody/TR/TH Document/Sect/Table/TBody/TR/TD: Document/Sect/L/LI/Lbl: Document/Sect/L/LI/LBody/P:
    Document/Sect/H1: Document/Sect/P/Span: Document/Sect/P/Link: to c1#, which is nowhere
    place c1 at 0.0 800.0 null
    Document/Sect/P:
    """.utf8)

  /// What a book is beyond its pages: what every book's metadata have.
  private static let beyondDictionary = Array(
    """
    metadata title: \nmetadata language: en\nmetadata identifier: urn:uuid:\nmetadata creator: , aut
    metadata contributor: , \nmetadata date: T00:00:00Z\nmetadata publisher: \nmetadata rights: \nmetadata description:
    metadata version: 3.0\nmetadata cover: \nmetadata subject: \nmetadata reads from right to left: false
    metadata spine: OEBPS/text/chapter-1.xhtml application/xhtml+xml
    landmarks \npages \ncontents   to OEBPS/text/chapter-1.xhtml#
    outline  to c1\noutline  to c2
    information Title: \ninformation Author: \ninformation Subject: \ninformation Keywords: \ninformation language: en
    information MarkInfo: Marked true\ninformation ViewerPreferences: DisplayDocTitle true, Direction R2L
    information PageMode: UseOutlines
    information <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    information <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
    xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
    information <dc:title><rdf:Alt><rdf:li xml:lang="x-default"></rdf:li></rdf:Alt></dc:title>
    information <dc:creator><rdf:Seq><rdf:li></rdf:li></rdf:Seq></dc:creator>
    information <dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
    information <dc:identifier></dc:identifier>
    information <dc:publisher><rdf:Bag><rdf:li></rdf:li></rdf:Bag></dc:publisher>
    information <dc:description><rdf:Alt><rdf:li xml:lang="x-default"></rdf:li></rdf:Alt></dc:description>
    information <dc:rights><rdf:Alt><rdf:li xml:lang="x-default"></rdf:li></rdf:Alt></dc:rights>
    information <pdfaid:part>2</pdfaid:part>\ninformation <pdfaid:conformance>U</pdfaid:conformance>
    information </rdf:Description>\ninformation </rdf:RDF></x:xmpmeta>
    characters  ,-.0123456789:;?ABCDEFGHIJKLMNOPRSTWYabcdefghiklmnopqrstuvwxyz—’“”\ntext
    """.utf8)
}

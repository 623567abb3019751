import Primitives

/// The information dictionary and the metadata stream (ISO 32000-1, section 14.3; XMP).
struct PDFMetadata {
  let information: PDFInformation

  /// A moment as PDF writes it, or as XMP does, in UTC.
  private func time(_ seconds: Int, isXMP: Bool) -> String {
    // Days since 1 March 0000 of the proleptic Gregorian calendar.
    let days = Int((Double(seconds) / 86400).rounded(.down)) + 719_468
    let rest = seconds - (days - 719_468) * 86400
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    let date = [String(year), two(month), two(day)]
    let clock = [two(rest / 3600), two(rest / 60 % 60), two(rest % 60)]
    return isXMP
      ? date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "Z"
      : "D:" + (date + clock).joined() + "Z"
  }

  var dictionary: PDFBytes {
    var bytes = PDFBytes("<<")
    func entry(_ name: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      bytes.name(name)
      bytes.text(text)
    }
    entry("Title", information.title)
    entry("Author", information.creators.joined(separator: "; "))
    entry("Subject", information.description)
    entry("Keywords", information.subjects.joined(separator: ", "))
    entry("Producer", information.producer)
    if let seconds = information.creationTime {
      entry("CreationDate", time(seconds, isXMP: false))
      entry("ModDate", time(seconds, isXMP: false))
    }
    bytes.raw(">>")
    return bytes
  }

  var packet: [UInt8] {
    var text =
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" \
      xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">

      """
    func simple(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      text += "<\(name)>\(XMLEscaping.escaped(value))</\(name)>\n"
    }
    func list(_ name: String, _ kind: String, _ values: [String]) {
      let values = values.filter { !$0.isEmpty }
      guard !values.isEmpty else { return }
      let items = values.map { "<rdf:li>\(XMLEscaping.escaped($0))</rdf:li>" }.joined()
      text += "<\(name)><rdf:\(kind)>\(items)</rdf:\(kind)></\(name)>\n"
    }
    func alternatives(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      let item = "<rdf:li xml:lang=\"x-default\">\(XMLEscaping.escaped(value))</rdf:li>"
      text += "<\(name)><rdf:Alt>\(item)</rdf:Alt></\(name)>\n"
    }
    alternatives("dc:title", information.title)
    list("dc:creator", "Seq", information.creators)
    list("dc:language", "Bag", information.languages)
    list("dc:subject", "Bag", information.subjects)
    simple("dc:identifier", information.identifier)
    alternatives("dc:description", information.description)
    list("dc:publisher", "Bag", [information.publisher ?? ""])
    alternatives("dc:rights", information.rights)
    if let date = information.date, Self.isDate(date) { list("dc:date", "Seq", [date]) }
    if let seconds = information.creationTime {
      simple("xmp:CreateDate", time(seconds, isXMP: true))
      simple("xmp:ModifyDate", time(seconds, isXMP: true))
      simple("xmp:MetadataDate", time(seconds, isXMP: true))
    }
    simple("pdf:Keywords", information.subjects.joined(separator: ", "))
    simple("pdf:Producer", information.producer)
    let standards = information.standards
    if !standards.isDisjoint(with: [.a2u, .a2a]) {
      simple("pdfaid:part", "2")
      simple("pdfaid:conformance", standards.contains(.a2a) ? "A" : "U")
    }
    if standards.contains(.ua1) { simple("pdfuaid:part", "1") }
    text += "</rdf:Description>\n"
    // A schema that PDF/A does not know has to be described (ISO 19005-2, section 6.6.2.3).
    if standards.contains(.ua1), !standards.isDisjoint(with: [.a2u, .a2a]) { text += Self.accessibilitySchema }
    text += "</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>"
    return Array(text.utf8)
  }

  private static let accessibilitySchema =
    """
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
    xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
    <pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
    <pdfaProperty:category>internal</pdfaProperty:category>
    <pdfaProperty:description>Part of ISO 14289 that the file conforms to</pdfaProperty:description>
    </rdf:li></rdf:Seq></pdfaSchema:property>
    </rdf:li></rdf:Bag></pdfaExtension:schemas>
    </rdf:Description>

    """

  /// The date is one that XMP knows: a year, month or day, with a time or without.
  private static func isDate(_ text: String) -> Bool {
    let day = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    let parts = day.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts[0].utf8.count == 4 else { return false }
    return parts.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
      && parts.dropFirst().allSatisfy { $0.utf8.count == 2 }
      && !text.contains("T")
  }
}

/// The files of a book made in memory, to be written as an archive or as a folder.
package struct BookFiles {
  package struct Entry: Sendable {
    package var path: String
    package var bytes: [UInt8]
    /// The name in the archive, where it is in another encoding, which nothing says.
    package var name: [UInt8]?
    /// The name in Info-ZIP's field for names in Unicode, and what it says the other one's checksum is.
    package var unicodeName: (name: [UInt8], checksum: UInt32)?

    package init(
      path: String, bytes: [UInt8], name: [UInt8]? = nil, unicodeName: (name: [UInt8], checksum: UInt32)? = nil
    ) {
      self.path = path
      self.bytes = bytes
      self.name = name
      self.unicodeName = unicodeName
    }
  }
  package var entries: [Entry] = []

  /// An EPUB with a container file, a package document at `O/p.opf` and these other files.
  ///
  /// - Parameters:
  ///   - manifest: The items.
  ///   - spine: The item references.
  ///   - files: Text of files by path, in the order of their paths.
  package init(
    manifest: String, spine: String, spineAttributes: String = "", metadata: String = "", files: [String: String]
  ) {
    self["mimetype"] = Array("application/epub+zip".utf8)
    self["META-INF/container.xml"] = Array(
      """
      <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="O/p.opf"
      media-type="application/oebps-package+xml"/></rootfiles></container>
      """.utf8)
    self["O/p.opf"] = Array(
      """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:x</dc:identifier><dc:title>T</dc:title>
      <dc:language>en</dc:language>\(metadata)</metadata><manifest>\(manifest)</manifest>
      <spine\(spineAttributes)>\(spine)</spine></package>
      """.utf8)
    for (path, text) in files.sorted(by: { $0.key < $1.key }) { self[path] = Array(text.utf8) }
  }

  /// A book of chapters `O/c1.xhtml` … with these bodies.
  package init(chapters: [String], metadata: String = "", files: [String: String] = [:]) {
    var files = files
    for (index, body) in chapters.enumerated() {
      files["O/c\(index + 1).xhtml"] =
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/></head><body>\(body)</body></html>"
    }
    let numbers = 1..<chapters.count + 1
    self.init(
      manifest: numbers.map { "<item id='c\($0)' href='c\($0).xhtml' media-type='application/xhtml+xml'/>" }.joined(),
      spine: numbers.map { "<itemref idref='c\($0)'/>" }.joined(), metadata: metadata, files: files)
  }

  /// The bytes of a file; nil takes it away.
  package subscript(path: String) -> [UInt8]? {
    get { entries.first { $0.path == path }?.bytes }
    set {
      guard let newValue else { return entries.removeAll { $0.path == path } }
      if let index = entries.firstIndex(where: { $0.path == path }) {
        entries[index].bytes = newValue
      } else {
        entries.append(Entry(path: path, bytes: newValue))
      }
    }
  }

  /// An archive of stored entries (APPNOTE.TXT, section 4.3).
  package func archive() -> [UInt8] {
    var output: [UInt8] = []
    var directory: [UInt8] = []
    func put(_ value: UInt32, _ count: Int, _ bytes: inout [UInt8]) {
      for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * shift))) }
    }
    for entry in entries {
      let start = UInt32(output.count)
      let name = entry.name ?? Array(entry.path.utf8)
      var extra: [UInt8] = []
      if let unicode = entry.unicodeName {
        put(0x7075, 2, &extra)
        put(UInt32(unicode.name.count + 5), 2, &extra)
        put(1, 1, &extra)
        put(unicode.checksum, 4, &extra)
        extra += unicode.name
      }
      var description: [UInt8] = []
      // Version 2.0, names in UTF-8, stored, 1 January 1980.
      let flags: UInt32 = entry.name == nil ? 0x800 : 0
      for (value, count) in [(20, 2), (flags, 2), (0, 2), (0, 2), (0x21, 2)] as [(UInt32, Int)] {
        put(value, count, &description)
      }
      put(Self.checksum(entry.bytes), 4, &description)
      put(UInt32(entry.bytes.count), 4, &description)
      put(UInt32(entry.bytes.count), 4, &description)
      put(UInt32(name.count), 2, &description)
      put(UInt32(extra.count), 2, &description)
      put(0x0403_4B50, 4, &output)
      output += description + name + extra + entry.bytes
      put(0x0201_4B50, 4, &directory)
      put(20, 2, &directory)
      directory += description
      for (value, count) in [(0, 2), (0, 2), (0, 2), (0, 4), (start, 4)] as [(UInt32, Int)] {
        put(value, count, &directory)
      }
      directory += name + extra
    }
    let start = UInt32(output.count)
    output += directory
    put(0x0605_4B50, 4, &output)
    for (value, count) in [
      (0, 2), (0, 2), (UInt32(entries.count), 2), (UInt32(entries.count), 2), (UInt32(directory.count), 4), (start, 4),
      (0, 2),
    ] as [(UInt32, Int)] { put(value, count, &output) }
    return output
  }

  /// CRC-32 (ISO 3309).
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}

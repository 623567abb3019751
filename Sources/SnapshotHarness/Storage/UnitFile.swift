import FoundationEssentials
package import Primitives

/// A face that pages of a unit are drawn with, known by what it is: enough to draw them again.
package struct DrawnFace: Hashable, Codable, Sendable {
  /// The content key that display lists and records name it by, in hexadecimal.
  package var key: String
  package var family: String
  package var style: String
  package var weight: Int
  /// The file's name, or the path in the book.
  package var file: String
  /// The hash of the blob, for a font of the book.
  package var blob: String?
  /// The path of its file where it is installed, for other fonts.
  package var path: String?
  /// Place in a collection.
  package var index: Int
  /// Design coordinates in the order of the axes.
  package var coordinates: [Float]
  package var isBold: Bool
  package var isOblique: Bool
  /// Degrees of the slant, where it is not that of `oblique` without an angle.
  package var obliqueAngle: Float?
  /// The colours of a colour font, where they are not those of its first palette.
  package var palette: DrawnPalette?

  /// Degrees that the outlines are slanted by.
  package var slant: Float { isOblique ? obliqueAngle ?? FontDescription.defaultObliqueAngle : 0 }
}

/// A palette of a colour font and what is changed in it.
package struct DrawnPalette: Hashable, Codable, Sendable {
  /// `light`, `dark` or a number.
  package var base: String
  /// Each an entry, red, green, blue and alpha.
  package var overrides: [[UInt16]]

  /// nil for the first palette as it is.
  init?(_ selection: PaletteSelection) {
    if selection == PaletteSelection() { return nil }
    base =
      switch selection.base {
      case .light: "light"
      case .dark: "dark"
      case .index(let number): String(number)
      }
    overrides = selection.overrides.map { change in
      [UInt16(clamping: change.entry)]
        + [change.color.red, change.color.green, change.color.blue, change.color.alpha].map { UInt16($0) }
    }
  }

  var selection: PaletteSelection {
    var selection = PaletteSelection()
    selection.base = base == "light" ? .light : base == "dark" ? .dark : .index(Int(base) ?? 0)
    selection.overrides = overrides.compactMap { numbers in
      guard numbers.count == 5 else { return nil }
      let bytes = numbers.dropFirst().map { UInt8(truncatingIfNeeded: $0) }
      return PaletteSelection.Override(
        entry: Int(numbers[0]), color: Color(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes[3]))
    }
    return selection
  }
}

/// An image that pages of a unit show.
package struct DrawnImage: Hashable, Codable, Sendable {
  package var key: String
  package var blob: String
  /// Unless it is shown as images are that styles say nothing of.
  package var presentation: ImagePresentation?
}

/// A page that was drawn.
package struct DrawnPage: Hashable, Codable, Sendable {
  /// From 1.
  package var page: Int
  /// The hash of its pixels: sixteen digits.
  package var pixels: String
}

/// `result.json` of a unit: its result without the pages, and what its pages are drawn with.
package struct UnitFile: Hashable, Codable, Sendable {
  package static let currentSchema = 6

  package var schema = UnitFile.currentSchema
  /// Hashes of records are of what these tell (`RecordHash`), and not of all that is in them, as in older forms.
  var comparesRecords: Bool { schema >= 6 }
  /// Of all that the pages depend on (snapshot harness, 9.6); empty in baselines.
  package var cacheKey: String
  package var result: UnitResult
  package var faces: [DrawnFace]
  package var images: [DrawnImage]
  /// The pixels of pages when they are drawn: of a sample, or all pages. nil where an older form does not tell.
  package var pixels: [DrawnPage]?
  /// The hash of what the book is beyond its pages (`BeyondPages`), sixteen digits; nil where the profile does not ask
  /// for it, or an older form does not tell.
  package var beyond: String?
  /// The hash of the book that was set; nil where an older form does not tell.
  package var book: String?
  /// By path: the hash of each library and of each installed font that the unit was set with, on the machine that did.
  /// nil in baselines.
  package var libraries: [String: String]?
  /// By path: the hash of each file beside the book that it asked for, empty for one that is missing. nil in baselines,
  /// and where it is not known.
  package var beside: [String: String]?
  /// By name: the files beside it. nil in baselines, and in what a child hands over.
  package var contents: [String: FileSeal]?

  package init(cacheKey: String, result: UnitResult, faces: [DrawnFace] = [], images: [DrawnImage] = []) {
    self.cacheKey = cacheKey
    self.result = result
    self.faces = faces
    self.images = images
  }
}

/// The seal that a file has to match: no file that was cut, emptied or changed by another hand does.
package struct FileSeal: Hashable, Codable, Sendable {
  package var bytes: Int
  /// nil where the content has hashes of its own, as frames of pages have.
  package var sha256: String?

  init(bytes: Int) { self.bytes = bytes }

  init(_ content: [UInt8]) {
    bytes = content.count
    sha256 = SHA256.hex(content)
  }

  /// The fault of a file of this seal; nil for none.
  func fault(of content: [UInt8]) -> String? {
    if content.count < bytes {
      return content.isEmpty ? "it is empty" : "it is cut"
    }
    return self == FileSeal(content) ? nil : "its content is not what was written"
  }
}

/// `pages.hashes`: a line of 36 bytes for each page, `display record pdf`, each eleven digits of base64url (RFC 4648,
/// section 5), the lowest six bits last.
enum PageHashFile {
  static let lineLength = 36
  private static let digits = 11
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8?] = (0...255).map { byte in alphabet.firstIndex(of: byte).map { UInt8($0) } }

  static func text(_ pages: [PageHashes]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pages.count * lineLength)
    for page in pages {
      for (value, end) in [(page.display, 0x20), (page.record, 0x20), (page.pdf, 0x0A)] as [(UInt64, UInt8)] {
        for place in (0..<digits).reversed() { bytes.append(alphabet[Int(value >> UInt64(6 * place) & 63)]) }
        bytes.append(end)
      }
    }
    return bytes
  }

  /// nil when a line is damaged. Lines of the older form are read too: `display record` in hexadecimal digits.
  static func pages(_ bytes: [UInt8]) -> [PageHashes]? {
    if bytes.count > OldForm.digits, bytes[OldForm.digits] == 0x20 { return OldForm.pages(bytes) }
    guard bytes.count % lineLength == 0 else { return nil }
    let bytes = bytes.span
    var pages: [PageHashes] = []
    pages.reserveCapacity(bytes.count / lineLength)
    for start in stride(from: 0, to: bytes.count, by: lineLength) {
      guard let display = number(bytes, start, 0x20), let record = number(bytes, start + digits + 1, 0x20),
        let pdf = number(bytes, start + 2 * (digits + 1), 0x0A)
      else { return nil }
      pages.append(PageHashes(display: display, record: record, pdf: pdf))
    }
    return pages
  }

  private static func number(_ bytes: Span<UInt8>, _ start: Int, _ end: UInt8) -> UInt64? {
    var value: UInt64 = 0
    for index in start..<start + digits {
      guard let digit = values[Int(bytes[index])], value >> 58 == 0 else { return nil }
      value = value << 6 | UInt64(digit)
    }
    return bytes[start + digits] == end ? value : nil
  }

  /// Lines of schemas before 6.
  private enum OldForm {
    static let digits = 16

    static func pages(_ bytes: [UInt8]) -> [PageHashes]? {
      guard bytes.last == 0x0A else { return nil }
      var pages: [PageHashes] = []
      for line in bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, let display = number(words[0]), let record = number(words[1]) else { return nil }
        pages.append(PageHashes(display: display, record: record))
      }
      return pages
    }

    private static func number(_ word: ArraySlice<UInt8>) -> UInt64? {
      word.count == digits ? UInt64(String(decoding: word, as: UTF8.self), radix: 16) : nil
    }
  }
}

/// The names of a unit's files in its folder.
extension UnitFile {
  package static let resultName = "result.json"
  package static let pagesName = "pages.hashes"
}

/// The data of pages that a unit keeps: each a pack of frames, a page's frame by its hash.
enum FrameKind: CaseIterable {
  case display
  case record
  /// What the page is in a PDF.
  case pdf
  /// What the book is beyond its pages: one frame, which counts as the first page's.
  case beyond

  /// The name of the pack that a unit is set into. Packs that a baseline has, and those that a run has in common with it, are
  /// named by their content, and end with this.
  var name: String {
    switch self {
    case .display: "displays.zst"
    case .record: "layout.jsonl.zst"
    case .pdf: "pdf.zst"
    case .beyond: "beyond.zst"
    }
  }

  /// The key of a frame by what is in it.
  func key(of content: [UInt8]) -> UInt64 {
    if self == .record { return RecordHash.hash(content) }
    var hasher = StableHasher()
    hasher.combine(content)
    // A page's is never 0, which says that nobody looked.
    return self == .pdf ? hasher.value | 1 : hasher.value
  }

  /// The file is a pack of this kind.
  func isName(_ file: String) -> Bool { file == name || file.hasSuffix("." + name) && !file.contains("/") }

  /// The name of a pack by its content.
  func name(of pack: [UInt8]) -> String { SHA256.hex(pack).prefix(16) + "." + name }
}

extension UnitFile {
  /// The fonts and images of the book that its pages are drawn with.
  var blobHashes: [String] { faces.compactMap(\.blob) + images.map(\.blob) }
}

/// What units tell of some pages or of all, found by the display list of the page.
extension UnitFile {
  /// - Returns: By display list, what was drawn of it.
  func pixels(of pages: [PageHashes]) -> [UInt64: DrawnPage] {
    var found: [UInt64: DrawnPage] = [:]
    for drawn in pixels ?? [] where pages.indices.contains(drawn.page - 1) {
      found[pages[drawn.page - 1].display] = drawn
    }
    return found
  }

}

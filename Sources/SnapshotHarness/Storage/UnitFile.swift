import FoundationEssentials
import Primitives

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
  package static let currentSchema = 1

  package var schema = UnitFile.currentSchema
  /// Of all that the pages depend on (snapshot harness, 9.6); empty in baselines.
  package var cacheKey: String
  package var result: UnitResult
  package var faces: [DrawnFace]
  package var images: [DrawnImage]
  /// The pixels of pages when they are drawn: of a sample, or all pages. nil where an older form does not tell.
  package var pixels: [DrawnPage]?
  /// By page: the hash of its structure and text in a PDF, sixteen digits; nil where the profile does not ask for it.
  package var tags: [String]?
  /// The hash of the book that was set; nil where an older form does not tell.
  package var book: String?
  /// By path: the hash of each library that the unit was set with, on the machine that did. nil in baselines.
  package var libraries: [String: String]?
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

/// `pages.hashes`: a line of 34 bytes for each page, `display record`, both as sixteen digits.
enum PageHashFile {
  static let lineLength = 34

  static func text(_ pages: [PageHashes]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pages.count * lineLength)
    for page in pages {
      append(page.display, to: &bytes)
      bytes.append(0x20)
      append(page.record, to: &bytes)
      bytes.append(0x0A)
    }
    return bytes
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(value >> shift & 15)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// nil when a line is damaged.
  static func pages(_ bytes: [UInt8]) -> [PageHashes]? {
    guard bytes.count % lineLength == 0 else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var pages: [PageHashes] = []
      pages.reserveCapacity(bytes.count / lineLength)
      for start in stride(from: 0, to: bytes.count, by: lineLength) {
        guard let display = unsafe number(bytes, start), unsafe bytes[start + 16] == 0x20,
          let record = unsafe number(bytes, start + 17),
          unsafe bytes[start + 33] == 0x0A
        else { return nil }
        pages.append(PageHashes(display: display, record: record))
      }
      return pages
    }
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt64? {
    var value: UInt64 = 0
    for index in start..<start + 16 {
      let byte = unsafe bytes[index]
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: value = value << 4 | UInt64(byte - 0x57)
      default: return nil
      }
    }
    return value
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
  /// Structure and text in a PDF, where the profile asks for them.
  case tags

  /// The name of the pack that a unit is set into. Packs that a baseline has, and those that a run has in common with it, are
  /// named by their content, and end with this.
  var name: String {
    switch self {
    case .display: "displays.zst"
    case .record: "layout.jsonl.zst"
    case .tags: "tags.zst"
    }
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

  /// - Returns: By display list, the indices of the pages that have it, in order; nil unless each page has its tags.
  func tagged(_ pages: [PageHashes]) -> [UInt64: [Int]]? {
    guard let tags, tags.count == pages.count else { return nil }
    return Dictionary(grouping: pages.indices) { pages[$0].display }
  }
}

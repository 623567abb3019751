import Primitives

/// A face as fontconfig lists it.
struct ListedFace {
  var path: String
  var faceIndex: Int
  /// The family in the file's first language, for display.
  var familyName: String
  /// All family names, folded; at least one.
  var families: [String]
  /// Full names, folded.
  var fullNames: [String]
  /// Folded.
  var postScriptName: String
  var styleName: String
  var weight: ClosedRange<UInt16>
  var slant: FontSlant
  var stretch: ClosedRange<Float>
  var isVariable: Bool
  var isColor: Bool
  /// A face of a folder named by the reader; such faces win over system ones of the same name.
  var isChosen: Bool
  var coverage: Coverage

  /// The characters of a face, in pages of 256.
  struct Coverage: Hashable {
    struct Page: Hashable {
      /// The characters' bits above the lowest eight.
      var number: UInt32
      /// A bit for each of the 256 characters: eight words.
      var bits: [UInt32]
    }
    /// By number.
    var pages: [Page] = []

    func contains(_ scalar: UInt32) -> Bool {
      pages.contains { $0.number == scalar >> 8 && $0.bits[Int(scalar >> 5 & 7)] >> (scalar & 31) & 1 != 0 }
    }
  }
}

/// A named instance of a variable font, as fontconfig lists it.
struct ListedInstance {
  var instance: NamedInstance
  /// Full and PostScript names, folded.
  var names: [String]
}

/// A file or folder as it was; its stamp is nil where there was nothing.
struct StampedPath {
  var path: String
  var stamp: FileStamp?

  /// The stamp of the file at a path now.
  init(_ path: String) {
    self.path = path
    stamp = FileStamp(of: path)
  }
}

/// All that an index is made of.
struct FontListing {
  var faces: [ListedFace] = []
  var instances: [ListedInstance] = []
  /// Aliases by the configuration's rules for a folded family name; those for any other name stand under the empty one.
  var aliases: [String: [String]] = [:]
  /// The family preferred for each generic one, where the configuration decides; the inner nil where there is none.
  var preferred: [String: String?] = [:]
  var matchesPartsOfNames = false
  /// The files and folders that the rest was made from.
  var stamps: [StampedPath] = []
  /// Paths of the configuration's files, which are among `stamps`.
  var configurationFiles: [String] = []
}

/// Writes the bytes that `FontIndex` reads.
struct FontIndexWriter {
  private var sections = [[UInt32]](repeating: [], count: FontIndex.Section.allCases.count)
  private var texts: [UInt8] = []
  private var known: [String: (offset: UInt32, length: UInt32)] = [:]
  private var leaves: [[UInt32]: UInt32] = [:]
  private var coverages: [ListedFace.Coverage: (first: UInt32, count: UInt32)] = [:]

  private init() {}

  static func bytes(of listing: FontListing) -> [UInt8] {
    var writer = FontIndexWriter()
    let faces = inOrder(listing.faces)
    for face in faces { writer.add(face) }
    writer.addFamilies(of: faces)
    writer.addNames(of: faces)
    writer.addInstances(listing.instances)
    writer.addAnswers(of: listing)
    writer.addStamps(of: listing)
    return writer.block(flags: listing.matchesPartsOfNames ? .matchesPartsOfNames : [])
  }

  /// The faces in the order of path and index, each once: fontconfig lists a variable font twice, as what it can be and as it
  /// is by default.
  private static func inOrder(_ listed: [ListedFace]) -> [ListedFace] {
    var kept: [ListedFace] = []
    kept.reserveCapacity(listed.count)
    let sorted = listed.sorted {
      ($0.path, $0.faceIndex, $0.isVariable ? 0 : 1, $0.isChosen ? 0 : 1)
        < ($1.path, $1.faceIndex, $1.isVariable ? 0 : 1, $1.isChosen ? 0 : 1)
    }
    for face in sorted {
      guard let last = kept.last, last.path == face.path, last.faceIndex == face.faceIndex else {
        kept.append(face)
        continue
      }
      // The names of a variable font are those of its default.
      if last.fullNames.isEmpty { kept[kept.count - 1].fullNames = face.fullNames }
      if last.postScriptName.isEmpty { kept[kept.count - 1].postScriptName = face.postScriptName }
      if last.styleName.isEmpty { kept[kept.count - 1].styleName = face.styleName }
    }
    return kept
  }

  // MARK: Sections

  private mutating func append(_ section: FontIndex.Section, _ words: [UInt32]) -> UInt32 {
    let record = UInt32(sections[section.rawValue].count / section.width)
    sections[section.rawValue] += words
    return record
  }

  private mutating func text(_ text: String) -> [UInt32] {
    if let place = known[text] { return [place.offset, place.length] }
    let place = (offset: UInt32(texts.count), length: UInt32(text.utf8.count))
    texts += text.utf8
    known[text] = place
    return [place.offset, place.length]
  }

  /// Names in the order that look-ups expect: by their bytes.
  private static func sorted<Value>(_ table: [String: Value]) -> [(name: String, value: Value)] {
    table.map { ($0.key, $0.value) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  private mutating func add(_ face: ListedFace) {
    var flags: FontIndex.FaceFlags = []
    if face.isVariable { flags.insert(.variable) }
    if face.isColor { flags.insert(.color) }
    if face.coverage.contains(0x4E00) || face.coverage.contains(0x3042) { flags.insert(.cjk) }
    let slant: UInt32 =
      switch face.slant {
      case .normal: 0
      case .italic: 1
      case .oblique: 2
      }
    let pages = pages(of: face.coverage)
    let words: [[UInt32]] = [
      text(face.path), [UInt32(face.faceIndex)], text(face.familyName), text(face.styleName),
      [UInt32(face.weight.lowerBound) | UInt32(face.weight.upperBound) << 16, slant],
      [face.stretch.lowerBound.bitPattern, face.stretch.upperBound.bitPattern], [flags.rawValue],
      [pages.first, pages.count], text(face.families[0]),
    ]
    _ = append(.faces, words.flatMap { $0 })
  }

  /// Equal coverages, and equal pages of different ones, are kept once.
  private mutating func pages(of coverage: ListedFace.Coverage) -> (first: UInt32, count: UInt32) {
    if let known = coverages[coverage] { return known }
    let first = UInt32(sections[FontIndex.Section.pages.rawValue].count / FontIndex.Section.pages.width)
    for page in coverage.pages {
      let leaf = leaves[page.bits] ?? append(.leaves, page.bits)
      leaves[page.bits] = leaf
      _ = append(.pages, [page.number, leaf])
    }
    coverages[coverage] = (first, UInt32(coverage.pages.count))
    return (first, UInt32(coverage.pages.count))
  }

  private mutating func addFamilies(of faces: [ListedFace]) {
    var members: [String: [Int]] = [:]
    for (position, face) in faces.enumerated() {
      for family in face.families { members[family, default: []].append(position) }
    }
    var records: [String: UInt32] = [:]
    for (family, all) in Self.sorted(members) {
      let chosen = all.filter { faces[$0].isChosen }
      let kept = chosen.isEmpty ? all : chosen
      let first = UInt32(sections[FontIndex.Section.members.rawValue].count)
      for position in kept { _ = append(.members, [UInt32(position)]) }
      records[family] = append(.families, text(family) + [first, UInt32(kept.count)])
    }
    let order = Set(faces.map { $0.families[0] }).sorted {
      ($0.hasPrefix("noto s") ? 0 : 1, $0) < ($1.hasPrefix("noto s") ? 0 : 1, $1)
    }
    for family in order { if let record = records[family] { _ = append(.familyOrder, [record]) } }
  }

  private mutating func addNames(of faces: [ListedFace]) {
    var names: [String: Int] = [:]
    for (position, face) in faces.enumerated() {
      for name in [face.postScriptName] + face.fullNames where !name.isEmpty && names[name] == nil {
        names[name] = position
      }
    }
    for (name, position) in Self.sorted(names) { _ = append(.faceNames, text(name) + [UInt32(position)]) }
  }

  private mutating func addInstances(_ listed: [ListedInstance]) {
    var names: [String: UInt32] = [:]
    let sorted = listed.sorted {
      let (one, other) = ($0.instance, $1.instance)
      return (one.path, one.faceIndex, one.number) < (other.path, other.faceIndex, other.number)
    }
    for entry in sorted {
      let instance = entry.instance
      let record = append(
        .instances, text(instance.path) + [UInt32(instance.faceIndex), UInt32(instance.number)])
      for name in entry.names where names[name] == nil { names[name] = record }
    }
    for (name, record) in Self.sorted(names) { _ = append(.instanceNames, text(name) + [record]) }
  }

  private mutating func answers(_ names: [String]) -> [UInt32] {
    let first = UInt32(sections[FontIndex.Section.answers.rawValue].count / FontIndex.Section.answers.width)
    for name in names { _ = append(.answers, text(name)) }
    return [first, UInt32(names.count)]
  }

  private mutating func addAnswers(of listing: FontListing) {
    for (name, aliases) in Self.sorted(listing.aliases) { _ = append(.aliases, text(name) + answers(aliases)) }
    for (name, family) in Self.sorted(listing.preferred) {
      _ = append(.preferred, text(name) + answers(family.map { [$0] } ?? []))
    }
  }

  private mutating func addStamps(of listing: FontListing) {
    var records: [String: UInt32] = [:]
    for stamp in listing.stamps {
      records[stamp.path] = append(
        .stamps,
        text(stamp.path) + FontIndex.words(of: stamp.stamp))
    }
    for path in listing.configurationFiles {
      if let record = records[path] { _ = append(.configurationFiles, [record]) }
    }
  }

  // MARK: The block

  private func block(flags: FontIndex.Flags) -> [UInt8] {
    var words: [UInt32] = [FontIndex.magic, FontIndex.version, 0, flags.rawValue]
    var body: [UInt32] = []
    for section in FontIndex.Section.allCases {
      let content = sections[section.rawValue]
      words.append(UInt32((FontIndex.headerCount + body.count) * 4))
      words.append(UInt32(section == .texts ? texts.count : content.count / section.width))
      body += content
    }
    words[2] = UInt32((FontIndex.headerCount + body.count) * 4 + texts.count)
    return unsafe (words + body).withUnsafeBytes { unsafe Array($0) } + texts
  }
}

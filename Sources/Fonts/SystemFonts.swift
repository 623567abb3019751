import CFontconfig
import Platform
import Primitives

/// A face that fontconfig lists, described without opening its file.
struct InstalledFace {
  var path: String
  var faceIndex: Int
  /// The family in the file's first language, for display.
  var familyName: String
  /// All family names, folded.
  var families: [String]
  var fullNames: [String]
  var postScriptName: String
  var styleName: String
  var weight: ClosedRange<UInt16>
  var slant: FontSlant
  var angles = FontDescription.defaultObliqueAngle...FontDescription.defaultObliqueAngle
  var stretch: ClosedRange<Float>
  var isVariable: Bool
  var isColor: Bool
  var isMonospace: Bool
  var isCJK: Bool
  /// Whether the face lies in a folder named by the reader; such faces win over system ones of the same name.
  var isChosen: Bool
  /// The characters it covers; owned by the catalogue's configuration.
  var characters: OpaquePointer?

  func covers(_ scalar: UInt32) -> Bool { characters.map { FcCharSetHasChar($0, scalar) != 0 } ?? false }
}

/// A named instance of a variable font, which `local()` can name.
struct NamedInstance {
  var path: String
  var faceIndex: Int
  /// From 1.
  var number: Int
  /// Full and PostScript names, folded.
  var names: [String]
}

/// The faces of the machine and of the folders named by the reader.
///
/// Immutable after `init`; the fontconfig calls that still happen go through the font library's lock.
final class FontCatalogue: @unchecked Sendable {
  /// In the order of path and index.
  let faces: [InstalledFace]
  let instances: [NamedInstance]
  /// Positions in `faces` by folded family name.
  let families: [String: [Int]]
  /// Each face's first family, text faces before others, then by name.
  let familyOrder: [String]
  /// Whether the machine's own fontconfig rules decide generic families: an explicit `FONTCONFIG_FILE`.
  let followsConfiguration: Bool
  /// Whether fontconfig is installed.
  let isAvailable: Bool
  private let usesSystemFonts: Bool
  private let config: OpaquePointer?

  init(directories: [String], usesSystemFonts: Bool) {
    self.usesSystemFonts = usesSystemFonts
    followsConfiguration = usesSystemFonts && getenv("FONTCONFIG_FILE").map { $0.pointee != 0 } ?? false
    let config: OpaquePointer?
    if usesSystemFonts {
      config = FcInitLoadConfigAndFonts()
    } else {
      // Only where scans are cached is taken over from the machine, no rule.
      config = FcConfigCreate()
      let caches =
        "<fontconfig><cachedir>/var/cache/fontconfig</cachedir>"
        + "<cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>"
      _ = FcConfigParseAndLoadFromMemory(config, caches, 0)
    }
    self.config = config
    isAvailable = config != nil || fontconfig_is_available() != 0
    for directory in directories { _ = FcConfigAppFontAddDir(config, directory) }
    var faces: [InstalledFace] = []
    var instances: [NamedInstance] = []
    if let config {
      if !directories.isEmpty {
        Self.append(FcConfigGetFonts(config, FcSetApplication), chosen: true, to: &faces, &instances)
      }
      if usesSystemFonts { Self.append(FcConfigGetFonts(config, FcSetSystem), chosen: false, to: &faces, &instances) }
    }
    self.instances = instances.sorted { ($0.path, $0.faceIndex, $0.number) < ($1.path, $1.faceIndex, $1.number) }
    faces.sort {
      // fontconfig lists a variable font twice: as what it can be, and as it is by default.
      ($0.path, $0.faceIndex, $0.isVariable ? 0 : 1, $0.isChosen ? 0 : 1)
        < ($1.path, $1.faceIndex, $1.isVariable ? 0 : 1, $1.isChosen ? 0 : 1)
    }
    var kept: [InstalledFace] = []
    kept.reserveCapacity(faces.count)
    for face in faces {
      guard let last = kept.last, last.path == face.path, last.faceIndex == face.faceIndex else {
        kept.append(face)
        continue
      }
      // The names of a variable font are those of its default.
      if last.fullNames.isEmpty { kept[kept.count - 1].fullNames = face.fullNames }
      if last.postScriptName.isEmpty { kept[kept.count - 1].postScriptName = face.postScriptName }
      if last.styleName.isEmpty { kept[kept.count - 1].styleName = face.styleName }
    }
    var families: [String: [Int]] = [:]
    for (index, face) in kept.enumerated() {
      for family in face.families { families[family, default: []].append(index) }
    }
    for (family, members) in families where members.contains(where: { kept[$0].isChosen }) {
      families[family] = members.filter { kept[$0].isChosen }
    }
    self.faces = kept
    self.families = families
    familyOrder = Set(kept.map { $0.families[0] }).sorted {
      ($0.hasPrefix("noto s") ? 0 : 1, $0) < ($1.hasPrefix("noto s") ? 0 : 1, $1)
    }
  }

  /// Of the files of all faces, and of the machine's rules.
  var digest: UInt64 {
    var hasher = StableHasher()
    func combine(_ path: String) {
      hasher.combine(path)
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      for number in [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec] { hasher.combine(number) }
    }
    var last = ""
    for face in faces {
      // The faces of a collection come one after the other.
      if face.path != last { combine(face.path) }
      last = face.path
      hasher.combine(face.faceIndex)
    }
    hasher.combine(followsConfiguration)
    if usesSystemFonts, let config, let files = FcConfigGetConfigFiles(config) {
      defer { FcStrListDone(files) }
      while let path = FcStrListNext(files) { combine(String(cString: path)) }
    }
    return hasher.value
  }

  deinit { if let config { FcConfigDestroy(config) } }

  /// Names are compared without case (CSS Fonts 4, section 5.1).
  static func fold(_ name: String) -> String {
    let trimmed = name.utf8.drop { $0 == 0x20 || $0 == 0x40 }
    guard let last = trimmed.lastIndex(where: { $0 != 0x20 }) else { return "" }
    return Substring(trimmed[...last]).lowercased()
  }

  /// Families that the machine's configuration declares to be the same as, or to replace, a family.
  func configuredAliases(of family: String) -> [String] {
    guard usesSystemFonts, let config, let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, family)
    _ = FcConfigSubstitute(config, pattern, FcMatchPattern)
    var result: [String] = []
    var index: Int32 = 0
    var value = FcValue()
    var binding = FcValueBindingWeak
    while index < 64, FcPatternGetWithBinding(pattern, FC_FAMILY, index, &value, &binding) == FcResultMatch {
      if binding != FcValueBindingWeak, value.type == FcTypeString, let text = value.u.s {
        result.append(Self.fold(String(cString: text)))
      }
      index += 1
    }
    return result
  }

  /// The families fontconfig would try for a family or generic name, best first, without those that add no character.
  func sortedFamilies(for name: String?, language: String?) -> [String] {
    guard let config, let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    if let name { FcPatternAddString(pattern, FC_FAMILY, name) }
    if let language { FcPatternAddString(pattern, FC_LANG, language) }
    FcPatternAddBool(pattern, FC_SCALABLE, 1)
    _ = FcConfigSubstitute(config, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var status = FcResultNoMatch
    guard let set = FcFontSort(config, pattern, 1, nil, &status) else { return [] }
    defer { FcFontSetDestroy(set) }
    var names: [String] = []
    for index in 0..<Int(set.pointee.nfont) {
      guard let face = set.pointee.fonts[index], let family = Self.string(face, FC_FAMILY) else { continue }
      let folded = Self.fold(family)
      if !names.contains(folded) { names.append(folded) }
    }
    return names
  }

  private static func append(
    _ set: UnsafeMutablePointer<FcFontSet>?, chosen: Bool, to faces: inout [InstalledFace],
    _ instances: inout [NamedInstance]
  ) {
    guard let set else { return }
    for position in 0..<Int(set.pointee.nfont) {
      guard let pattern = set.pointee.fonts[position], let path = string(pattern, FC_FILE) else { continue }
      let index = integer(pattern, FC_INDEX) ?? 0
      // Named instances of a variable font: the variable entry stands for all of them.
      if index >> 16 != 0 && !boolean(pattern, FC_VARIABLE) {
        let names = strings(pattern, FC_FULLNAME) + strings(pattern, FC_POSTSCRIPT_NAME)
        instances.append(
          NamedInstance(path: path, faceIndex: index & 0xFFFF, number: index >> 16, names: names.map(fold)))
        continue
      }
      let outline = boolean(pattern, FC_OUTLINE)
      let color = boolean(pattern, FC_COLOR)
      guard outline || color else { continue }
      let families = strings(pattern, FC_FAMILY)
      guard let family = families.first else { continue }
      var characters: OpaquePointer?
      FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters)
      let slant = integer(pattern, FC_SLANT) ?? 0
      let isVariable = boolean(pattern, FC_VARIABLE)
      let style = string(pattern, FC_STYLE) ?? (isVariable ? "" : "Regular")
      let weight = weight(range(pattern, FC_WEIGHT) ?? 80...80, style: style)
      let width = range(pattern, FC_WIDTH) ?? 100...100
      faces.append(
        InstalledFace(
          path: path, faceIndex: index & 0xFFFF, familyName: family, families: families.map(fold),
          fullNames: strings(pattern, FC_FULLNAME).map(fold),
          postScriptName: fold(string(pattern, FC_POSTSCRIPT_NAME) ?? ""),
          styleName: style, weight: weight,
          slant: slant >= 110 ? .oblique : slant > 0 ? .italic : .normal,
          stretch: Float(width.lowerBound)...Float(width.upperBound), isVariable: isVariable,
          isColor: color, isMonospace: (integer(pattern, FC_SPACING) ?? 0) >= 100,
          isCJK: characters.map { FcCharSetHasChar($0, 0x4E00) != 0 || FcCharSetHasChar($0, 0x3042) != 0 } ?? false,
          isChosen: chosen, characters: characters))
    }
  }

  /// The weights that fontconfig reports, by CSS's numbers. A face that calls itself bold is, though some files (Noto Serif
  /// Myanmar Bold, Noto Nastaliq Urdu Bold) leave the regular weight in their OS/2 table.
  static func weight(_ reported: ClosedRange<Double>, style: String) -> ClosedRange<UInt16> {
    let low = cssWeight(reported.lowerBound)
    let high = Swift.max(low, cssWeight(reported.upperBound))
    if low == 400, high == 400, style.lowercased().split(separator: " ").contains("bold") { return 700...700 }
    return low...high
  }

  private static func cssWeight(_ weight: Double) -> UInt16 {
    let value = FcWeightToOpenTypeDouble(weight)
    return value.isFinite ? UInt16(Swift.max(1, Swift.min(1000, value.rounded()))) : 400
  }

  private static func strings(_ pattern: OpaquePointer, _ name: String) -> [String] {
    var result: [String] = []
    while let text = string(pattern, name, result.count) { result.append(text) }
    return result
  }

  private static func string(_ pattern: OpaquePointer, _ name: String, _ index: Int = 0) -> String? {
    var text: UnsafeMutablePointer<FcChar8>?
    guard FcPatternGetString(pattern, name, Int32(index), &text) == FcResultMatch, let text else { return nil }
    return String(cString: text)
  }

  private static func integer(_ pattern: OpaquePointer, _ name: String) -> Int? {
    var value: Int32 = 0
    return FcPatternGetInteger(pattern, name, 0, &value) == FcResultMatch ? Int(value) : nil
  }

  private static func boolean(_ pattern: OpaquePointer, _ name: String) -> Bool {
    var value: FcBool = 0
    return FcPatternGetBool(pattern, name, 0, &value) == FcResultMatch && value != 0
  }

  private static func range(_ pattern: OpaquePointer, _ name: String) -> ClosedRange<Double>? {
    var value = 0.0
    if FcPatternGetDouble(pattern, name, 0, &value) == FcResultMatch { return value...value }
    var range: OpaquePointer?
    var low = 0.0
    var high = 0.0
    guard FcPatternGetRange(pattern, name, 0, &range) == FcResultMatch, let range,
      FcRangeGetDouble(range, &low, &high) != 0, low <= high
    else { return nil }
    return low...high
  }
}

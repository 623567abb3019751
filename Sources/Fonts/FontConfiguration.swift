import CFontconfig
import Primitives

/// fontconfig's configuration: the machine's with its faces and rules, or none but for folders named by the reader.
///
/// Loading it reads some fifty files of rules, and listing its faces takes time for each; so it is asked only where there is
/// no fresh index of its answers. Not safe for use from several threads at once.
@safe final class FontConfiguration {
  private let config: OpaquePointer
  private let directories: [String]
  private let usesSystemFonts: Bool

  /// - Returns: nil where fontconfig is not installed or its configuration cannot be loaded.
  init?(directories: [String], usesSystemFonts: Bool) {
    let loaded: OpaquePointer?
    if usesSystemFonts {
      unsafe loaded = unsafe FcInitLoadConfigAndFonts()
    } else {
      // Only where scans are cached is taken over from the machine, no rule.
      unsafe loaded = unsafe FcConfigCreate()
      let caches =
        "<fontconfig><cachedir>/var/cache/fontconfig</cachedir>"
        + "<cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>"
      _ = unsafe FcConfigParseAndLoadFromMemory(loaded, caches, 0)
    }
    guard let loaded = unsafe loaded else { return nil }
    unsafe config = unsafe loaded
    self.directories = directories
    self.usesSystemFonts = usesSystemFonts
    for directory in directories { _ = unsafe FcConfigAppFontAddDir(config, directory) }
  }

  deinit { unsafe FcConfigDestroy(config) }

  static var isInstalled: Bool { fontconfig_is_available() != 0 }

  // MARK: Rules

  /// Other families that the configuration declares to be the same as, or to replace, a family; folded.
  func aliases(of family: String) -> [String] {
    guard usesSystemFonts, let pattern = unsafe FcPatternCreate() else { return [] }
    defer { unsafe FcPatternDestroy(pattern) }
    unsafe FcPatternAddString(pattern, FC_FAMILY, family)
    _ = unsafe FcConfigSubstitute(config, pattern, FcMatchPattern)
    var result: [String] = []
    var index: Int32 = 0
    var value = unsafe FcValue()
    var binding = FcValueBindingWeak
    while index < 64, unsafe FcPatternGetWithBinding(pattern, FC_FAMILY, index, &value, &binding) == FcResultMatch {
      if binding != FcValueBindingWeak, unsafe value.type == FcTypeString, let text = unsafe value.u.s {
        unsafe result.append(FontCatalogue.fold(String(cString: text)))
      }
      index += 1
    }
    let own = FontCatalogue.fold(family)
    return result.filter { $0 != own }
  }

  /// The families fontconfig would try for a family or generic name, best first, without those that add no character.
  func sortedFamilies(for name: String?, language: String?) -> [String] {
    guard let pattern = unsafe FcPatternCreate() else { return [] }
    defer { unsafe FcPatternDestroy(pattern) }
    if let name { unsafe FcPatternAddString(pattern, FC_FAMILY, name) }
    if let language { unsafe FcPatternAddString(pattern, FC_LANG, language) }
    unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
    _ = unsafe FcConfigSubstitute(config, pattern, FcMatchPattern)
    unsafe FcDefaultSubstitute(pattern)
    var status = FcResultNoMatch
    guard let set = unsafe FcFontSort(config, pattern, 1, nil, &status) else { return [] }
    defer { unsafe FcFontSetDestroy(set) }
    var names: [String] = []
    for index in unsafe 0..<Int(set.pointee.nfont) {
      guard let face = unsafe set.pointee.fonts[index], let family = unsafe Self.string(face, FC_FAMILY) else {
        continue
      }
      let folded = FontCatalogue.fold(family)
      if !names.contains(folded) { names.append(folded) }
    }
    return names
  }

  /// The paths of the files that the rules were read from.
  var files: [String] { unsafe usesSystemFonts ? Self.paths(FcConfigGetConfigFiles(config)) : [] }

  /// The folders whose faces are listed, those below them included.
  var fontFolders: [String] { unsafe usesSystemFonts ? Self.paths(FcConfigGetFontDirs(config)) : [] }

  private static func paths(_ list: OpaquePointer?) -> [String] {
    guard let list = unsafe list else { return [] }
    defer { unsafe FcStrListDone(list) }
    var paths: [String] = []
    while let path = unsafe FcStrListNext(list) { unsafe paths.append(String(cString: path)) }
    return paths
  }

  // MARK: Faces

  /// All faces and named instances, in fontconfig's order.
  func list() -> (faces: [ListedFace], instances: [ListedInstance]) {
    var found: (faces: [ListedFace], instances: [ListedInstance]) = ([], [])
    if !directories.isEmpty {
      unsafe Self.append(FcConfigGetFonts(config, FcSetApplication), isChosen: true, to: &found)
    }
    if usesSystemFonts { unsafe Self.append(FcConfigGetFonts(config, FcSetSystem), isChosen: false, to: &found) }
    return found
  }

  private static func append(
    _ set: UnsafeMutablePointer<FcFontSet>?, isChosen: Bool,
    to found: inout (faces: [ListedFace], instances: [ListedInstance])
  ) {
    guard let set = unsafe set else { return }
    for position in unsafe 0..<Int(set.pointee.nfont) {
      guard let pattern = unsafe set.pointee.fonts[position], let path = unsafe string(pattern, FC_FILE) else {
        continue
      }
      let index = unsafe integer(pattern, FC_INDEX) ?? 0
      // Named instances of a variable font: the variable entry stands for all of them.
      if unsafe index >> 16 != 0 && !boolean(pattern, FC_VARIABLE) {
        let names = unsafe strings(pattern, FC_FULLNAME) + strings(pattern, FC_POSTSCRIPT_NAME)
        found.instances.append(
          ListedInstance(
            instance: NamedInstance(path: path, faceIndex: index & 0xFFFF, number: index >> 16),
            names: names.map(FontCatalogue.fold)))
      } else if let face = unsafe face(pattern, path: path, index: index & 0xFFFF, isChosen: isChosen) {
        found.faces.append(face)
      }
    }
  }

  /// - Returns: nil for faces of bitmaps, and for those without a name.
  private static func face(_ pattern: OpaquePointer, path: String, index: Int, isChosen: Bool) -> ListedFace? {
    let isColor = unsafe boolean(pattern, FC_COLOR)
    let families = unsafe strings(pattern, FC_FAMILY)
    guard unsafe boolean(pattern, FC_OUTLINE) || isColor, let family = families.first else { return nil }
    let slant = unsafe integer(pattern, FC_SLANT) ?? 0
    let isVariable = unsafe boolean(pattern, FC_VARIABLE)
    let style = unsafe string(pattern, FC_STYLE) ?? (isVariable ? "" : "Regular")
    let width = unsafe range(pattern, FC_WIDTH) ?? 100...100
    return unsafe ListedFace(
      path: path, faceIndex: index, familyName: family, families: families.map(FontCatalogue.fold),
      fullNames: strings(pattern, FC_FULLNAME).map(FontCatalogue.fold),
      postScriptName: FontCatalogue.fold(string(pattern, FC_POSTSCRIPT_NAME) ?? ""), styleName: style,
      weight: weight(range(pattern, FC_WEIGHT) ?? 80...80, style: style),
      slant: slant >= 110 ? .oblique : slant > 0 ? .italic : .normal,
      stretch: Float(width.lowerBound)...Float(width.upperBound), isVariable: isVariable, isColor: isColor,
      isChosen: isChosen, coverage: coverage(pattern))
  }

  private static func coverage(_ pattern: OpaquePointer) -> ListedFace.Coverage {
    var coverage = ListedFace.Coverage()
    var characters: OpaquePointer?
    guard unsafe FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) == FcResultMatch,
      let characters = unsafe characters
    else {
      return coverage
    }
    var bits = [UInt32](repeating: 0, count: 8)
    var next: UInt32 = 0
    var first = unsafe FcCharSetFirstPage(characters, &bits, &next)
    // fontconfig's end: all bits set.
    while first != .max {
      coverage.pages.append(ListedFace.Coverage.Page(number: first >> 8, bits: bits))
      first = unsafe FcCharSetNextPage(characters, &bits, &next)
    }
    return coverage
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

  // MARK: Values of patterns

  private static func strings(_ pattern: OpaquePointer, _ name: String) -> [String] {
    var result: [String] = []
    while let text = unsafe string(pattern, name, result.count) { result.append(text) }
    return result
  }

  private static func string(_ pattern: OpaquePointer, _ name: String, _ index: Int = 0) -> String? {
    var text: UnsafeMutablePointer<FcChar8>?
    guard unsafe FcPatternGetString(pattern, name, Int32(index), &text) == FcResultMatch, let text = unsafe text else {
      return nil
    }
    return unsafe String(cString: text)
  }

  private static func integer(_ pattern: OpaquePointer, _ name: String) -> Int? {
    var value: Int32 = 0
    return unsafe FcPatternGetInteger(pattern, name, 0, &value) == FcResultMatch ? Int(value) : nil
  }

  private static func boolean(_ pattern: OpaquePointer, _ name: String) -> Bool {
    var value: FcBool = 0
    return unsafe FcPatternGetBool(pattern, name, 0, &value) == FcResultMatch && value != 0
  }

  private static func range(_ pattern: OpaquePointer, _ name: String) -> ClosedRange<Double>? {
    var value = 0.0
    if unsafe FcPatternGetDouble(pattern, name, 0, &value) == FcResultMatch { return value...value }
    var range: OpaquePointer?
    var low = 0.0
    var high = 0.0
    guard unsafe FcPatternGetRange(pattern, name, 0, &range) == FcResultMatch, let range = unsafe range,
      unsafe FcRangeGetDouble(range, &low, &high) != 0, low <= high
    else { return nil }
    return low...high
  }
}

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
    guard usesSystemFonts, let query = FontQuery() else { return [] }
    query.add(FC_FAMILY, family)
    _ = unsafe FcConfigSubstitute(config, query.pattern.pointer, FcMatchPattern)
    let own = FontCatalogue.fold(family)
    return query.pattern.boundStrings(FC_FAMILY).map(FontCatalogue.fold).filter { $0 != own }
  }

  /// The families fontconfig would try for a family or generic name, best first, without those that add no character.
  func sortedFamilies(for name: String?, language: String?) -> [String] {
    guard let query = FontQuery() else { return [] }
    if let name { query.add(FC_FAMILY, name) }
    if let language { query.add(FC_LANG, language) }
    query.demandOutlines()
    _ = unsafe FcConfigSubstitute(config, query.pattern.pointer, FcMatchPattern)
    unsafe FcDefaultSubstitute(query.pattern.pointer)
    var status = FcResultNoMatch
    guard let set = unsafe FcFontSort(config, query.pattern.pointer, 1, nil, &status) else { return [] }
    defer { unsafe FcFontSetDestroy(set) }
    var names: [String] = []
    for face in unsafe FontPattern.all(in: set) {
      guard let family = face.string(FC_FAMILY) else { continue }
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
      unsafe Self.append(FontPattern.all(in: FcConfigGetFonts(config, FcSetApplication)), isChosen: true, to: &found)
    }
    if usesSystemFonts {
      unsafe Self.append(FontPattern.all(in: FcConfigGetFonts(config, FcSetSystem)), isChosen: false, to: &found)
    }
    return found
  }

  private static func append(
    _ patterns: [FontPattern], isChosen: Bool, to found: inout (faces: [ListedFace], instances: [ListedInstance])
  ) {
    for pattern in patterns {
      guard let path = pattern.string(FC_FILE) else { continue }
      let index = pattern.integer(FC_INDEX) ?? 0
      // Named instances of a variable font: the variable entry stands for all of them.
      if index >> 16 != 0 && !pattern.boolean(FC_VARIABLE) {
        let names = pattern.strings(FC_FULLNAME) + pattern.strings(FC_POSTSCRIPT_NAME)
        found.instances.append(
          ListedInstance(
            instance: NamedInstance(path: path, faceIndex: index & 0xFFFF, number: index >> 16),
            names: names.map(FontCatalogue.fold)))
      } else if let face = face(pattern, path: path, index: index & 0xFFFF, isChosen: isChosen) {
        found.faces.append(face)
      }
    }
  }

  /// - Returns: nil for faces of bitmaps, and for those without a name.
  private static func face(_ pattern: FontPattern, path: String, index: Int, isChosen: Bool) -> ListedFace? {
    let isColor = pattern.boolean(FC_COLOR)
    let families = pattern.strings(FC_FAMILY)
    guard pattern.boolean(FC_OUTLINE) || isColor, let family = families.first else { return nil }
    let slant = pattern.integer(FC_SLANT) ?? 0
    let isVariable = pattern.boolean(FC_VARIABLE)
    let style = pattern.string(FC_STYLE) ?? (isVariable ? "" : "Regular")
    let width = pattern.range(FC_WIDTH) ?? 100...100
    return ListedFace(
      path: path, faceIndex: index, familyName: family, families: families.map(FontCatalogue.fold),
      fullNames: pattern.strings(FC_FULLNAME).map(FontCatalogue.fold),
      postScriptName: FontCatalogue.fold(pattern.string(FC_POSTSCRIPT_NAME) ?? ""), styleName: style,
      weight: weight(pattern.range(FC_WEIGHT) ?? 80...80, style: style),
      slant: slant >= 110 ? .oblique : slant > 0 ? .italic : .normal,
      stretch: Float(width.lowerBound)...Float(width.upperBound), isVariable: isVariable, isColor: isColor,
      isChosen: isChosen, coverage: pattern.coverage)
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
}

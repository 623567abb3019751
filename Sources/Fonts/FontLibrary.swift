import Platform
package import Primitives
import Synchronization

/// The fonts of one run: lists the machine's faces, opens files once, and hands out faces that all chapters share.
package final class FontLibrary: Sendable {
  private struct FaceKey: Hashable {
    var file: ObjectIdentifier
    var index: Int
    var family: String
    var variations: [FontSetting]
    var features: [FontSetting]
    var adjustments: FontAdjustments
    var bold: Bool
    var slant: Float
    var palette: PaletteSelection
  }

  private struct State {
    var catalogue: FontCatalogue?
    var files: [String: Result<FontFile, FontError>] = [:]
    var faces: [FontFace] = []
    var faceIDs: [FaceKey: FontFace?] = [:]
    /// By language.
    var configuredFamilies: [String: [String]] = [:]
    var aliases: [String: [String]] = [:]
    /// Named instances by PostScript name, once one is asked for.
    var instances: [String: NamedInstance]?
    var digest: UInt64?
    var lastResort: FontFace?
  }

  private let directories: [String]
  private let usesSystemFonts: Bool
  private let overrides: [GenericFamily: String]
  private let state = Lock(State())

  /// - Parameters:
  ///   - directories: Folders whose faces are used beside, and before, those of the system.
  ///   - usesSystemFonts: `true` if fontconfig's faces and rules count.
  ///   - genericFamilies: Families to use for generic ones instead of the defaults.
  package init(
    directories: [String] = [], usesSystemFonts: Bool = true, genericFamilies: [GenericFamily: String] = [:]
  ) {
    self.directories = directories
    self.usesSystemFonts = usesSystemFonts
    overrides = genericFamilies
  }

  /// The face with an id this library gave out.
  package func face(_ id: FontID) -> FontFace? {
    state.withLock { id.index < $0.faces.count ? $0.faces[id.index] : nil }
  }

  /// The number of faces opened. Their ids are smaller.
  package var faceCount: Int { state.withLock { $0.faces.count } }

  /// Memory taken by fonts that are not mapped from disk, in bytes: those of books, and unpacked ones.
  package var byteCount: Int {
    state.withLock { state in
      state.files.values.reduce(0) { $0 + ((try? $1.get())?.ownedByteCount ?? 0) }
    }
  }

  /// Opens a book's font once for each key, which names its resource in the book.
  func file(key: String, load: () -> [UInt8]?) -> Result<FontFile, FontError> {
    if let known = state.withLock({ $0.files["book:" + key] }) { return known }
    // Read outside the lock: archives have locks of their own. Two threads may both read; the first to store wins.
    let result: Result<FontFile, FontError>
    if let data = load() {
      do throws(FontError) { result = .success(try FontFile(data: data, name: key)) } catch { result = .failure(error) }
    } else {
      result = .failure(.unreadable(key))
    }
    return state.withLock {
      if let known = $0.files["book:" + key] { return known }
      $0.files["book:" + key] = result
      return result
    }
  }

  /// The face of a file with a synthetic style, opened once.
  func face(file: FontFile, index: Int, traits: FontFace.Traits) -> FontFace? {
    state.withLock { Self.open(&$0, file: file, index: index, traits: traits) }
  }

  /// The face for characters that no font has; it is always there.
  package var lastResort: FontFace {
    state.withLock { state in
      if let known = state.lastResort { return known }
      guard let file = try? FontFile(data: LastResortFile.bytes, name: LastResort.fileName),
        let face = Self.open(
          &state, file: file, index: 0,
          traits: FontFace.Traits(familyName: LastResort.familyName, weight: 400, slant: .normal))
      else { preconditionFailure("the last-resort face is damaged") }
      state.lastResort = face
      return face
    }
  }

  /// A face with other colours.
  func face(_ face: FontFace, painted palette: PaletteSelection) -> FontFace {
    var traits = face.traits
    traits.palette = palette
    return self.face(file: face.file, index: face.faceIndex, traits: traits) ?? face
  }

  /// A face to draw with, of which all is known that drawing needs.
  ///
  /// - Parameter coordinates: Design coordinates in the order of the `fvar` axes; empty for a static face.
  package func face(
    drawing file: FontFile, index: Int, coordinates: [Float], isSyntheticBold: Bool, syntheticSlant: Float,
    palette: PaletteSelection
  ) -> FontFace? {
    let traits = FontFace.Traits(
      familyName: file.name, weight: 400, slant: .normal, isSyntheticBold: isSyntheticBold,
      syntheticSlant: syntheticSlant,
      variations: Variations.settings(coordinates, of: file, index: index), palette: palette)
    return face(file: file, index: index, traits: traits)
  }

  private static func open(_ state: inout State, file: FontFile, index: Int, traits: FontFace.Traits) -> FontFace? {
    let key = FaceKey(
      file: ObjectIdentifier(file), index: index, family: traits.familyName, variations: traits.variations,
      features: traits.features, adjustments: traits.adjustments, bold: traits.isSyntheticBold,
      slant: traits.syntheticSlant, palette: traits.palette)
    if let known = state.faceIDs[key] { return known }
    let face = try? FontFace(id: FontID(state.faces.count), file: file, faceIndex: index, traits: traits)
    state.faceIDs[key] = .some(face)
    if let face { state.faces.append(face) }
    return face
  }

  /// Installed faces were asked for and cannot be listed.
  package var lacksFontconfig: Bool { state.withLock { $0.catalogue.map { !$0.isAvailable } ?? false } }

  /// The installed faces, listed at the first call.
  var catalogue: FontCatalogue {
    state.withLock { state in
      if let known = state.catalogue { return known }
      let made = FontCatalogue(directories: directories, usesSystemFonts: usesSystemFonts)
      state.catalogue = made
      return made
    }
  }

  /// Of the faces that may be chosen, those of books aside: their files' paths, sizes and times of change, and the rules that
  /// choose among them. Made at the first call.
  package var digest: UInt64 {
    if let known = state.withLock({ $0.digest }) { return known }
    let digest = catalogue.digest
    state.withLock { $0.digest = digest }
    return digest
  }

  /// Opens an installed face as a description wants it.
  ///
  /// - Parameters:
  ///   - instance: The number of one of its named instances, 0 for none.
  ///   - rule: The `@font-face` rule that names it, whose settings and metrics it takes.
  func face(
    installed position: Int, for description: FontDescription, instance: Int = 0, as rule: FontFaceDefinition? = nil
  ) -> FontFace? {
    var installed = catalogue.index.face(position)
    let path = installed.path
    return state.withLock { state in
      let opened = state.files[path] ?? Self.openFile(path)
      state.files[path] = opened
      guard case .success(let file) = opened else { return nil }
      if installed.isVariable, installed.slant == .normal, description.slant != .normal,
        let angles = Variations.slantAngles(of: file, index: installed.faceIndex)
      {
        installed.slant = .oblique
        installed.angles = angles
      }
      let named =
        instance == 0 ? [] : Variations.settings(ofInstance: instance, of: file, index: installed.faceIndex)
      let traits = FontFace.Traits(
        familyName: installed.familyName, styleName: installed.styleName,
        weight: Swift.max(installed.weight.lowerBound, Swift.min(installed.weight.upperBound, description.weight)),
        slant: installed.slant,
        isSyntheticBold: !installed.isColor && FontMatching.needsBold(installed.weight, description),
        syntheticSlant: installed.isColor
          ? 0 : FontMatching.syntheticSlant(installed.slant, isCJK: installed.isCJK, description),
        variations: installed.isVariable
          ? FontMatching.variations(of: installed, description, settings: named + (rule?.variations ?? [])) : [],
        features: rule?.features ?? [], adjustments: rule?.adjustments ?? FontAdjustments())
      return Self.open(&state, file: file, index: installed.faceIndex, traits: traits)
    }
  }

  /// The position of the face of a family that fits a description best; `nil` when the family is not installed.
  func match(family folded: String, for description: FontDescription) -> Int? {
    let index = catalogue.index
    let faces = index.members(ofFamily: folded).map(index.face)
    return FontMatching.order(faces, for: description).first.map { faces[$0].position }
  }

  /// The installed face that `local()` names by its full or PostScript name (CSS Fonts 4, section 4.3.3).
  ///
  /// - Returns: the face's position and, where the name is that of one of its named instances, the number of that.
  func local(_ name: String) -> (position: Int, instance: Int)? {
    let folded = FontCatalogue.fold(name)
    let index = catalogue.index
    if let known = index.position(named: folded) { return (known, 0) }
    guard let instance = index.instance(named: folded) ?? instance(postScriptName: folded) else { return nil }
    let face = index.faces.first {
      $0.isVariable && $0.faceIndex == instance.faceIndex && $0.path == instance.path
    }
    return face.map { ($0.position, instance.number) }
  }

  /// The named instance whose own PostScript name, which only its font's `fvar` tells, is a name.
  private func instance(postScriptName folded: String) -> NamedInstance? {
    let catalogue = catalogue
    return state.withLock { state in
      if let known = state.instances { return known[folded] }
      var found: [String: NamedInstance] = [:]
      for instance in catalogue.index.instances {
        let opened = state.files[instance.path] ?? Self.openFile(instance.path)
        state.files[instance.path] = opened
        guard case .success(let file) = opened,
          let name = Variations.postScriptName(ofInstance: instance.number, of: file, index: instance.faceIndex)
        else { continue }
        let key = FontCatalogue.fold(name)
        if found[key] == nil { found[key] = instance }
      }
      state.instances = found
      return found[folded]
    }
  }

  private static func openFile(_ path: String) -> Result<FontFile, FontError> {
    do throws(FontError) { return .success(try FontFile(path: path)) } catch { return .failure(error) }
  }

  /// The installed families that a named family means, folded: itself, or what stands in for it.
  func families(named name: String, language: String?) -> [String] {
    let folded = FontCatalogue.fold(name)
    let catalogue = catalogue
    if catalogue.index.hasFamily(folded) { return [folded] }
    // Ours first where our table knows the name: it knows the faces that suit books.
    var names = catalogue.followsConfiguration ? [] : FontFamilies.aliases(of: folded, language: language)
    names += aliases(of: name, folded: folded)
    return names.map(FontCatalogue.fold).filter(catalogue.index.hasFamily)
  }

  /// The family is installed, or one that stands in for it.
  package func hasFamily(named name: String) -> Bool { !families(named: name, language: nil).isEmpty }

  /// A face that may be chosen lies in a folder or below it.
  package func hasFaces(in folder: String) -> Bool {
    guard let root = FilePath.resolved(folder) else { return false }
    // The files of a folder may be links to others.
    let roots = [folder.hasSuffix("/") ? folder : folder + "/", root + "/"]
    func isInside(_ path: String) -> Bool { roots.contains(where: path.hasPrefix) }
    let paths = catalogue.index.faces.lazy.map(\.path)
    return paths.contains(where: isInside) || paths.contains { FilePath.resolved($0).map(isInside) ?? false }
  }

  /// Aliases of a name by the machine's rules, asked once.
  private func aliases(of name: String, folded: String) -> [String] {
    let catalogue = catalogue
    return state.withLock { state in
      if let known = state.aliases[folded] { return known }
      let found = catalogue.configuredAliases(of: name)
      state.aliases[folded] = found
      return found
    }
  }

  /// The installed families that a generic family means, best first, folded.
  func families(for generic: GenericFamily, language: String?) -> [String] {
    let catalogue = catalogue
    var names: [String] = []
    if let override = overrides[generic] { names += families(named: override, language: language) }
    if generic == .systemUI, let override = overrides[.sansSerif] {
      names += families(named: override, language: language)
    }
    if catalogue.followsConfiguration {
      names += catalogue.configuredFamily(for: Self.fontconfigName(generic)).map { [$0] } ?? []
    }
    names += FontFamilies.defaults(for: generic, language: language).map(FontCatalogue.fold)
    if generic == .serif { names += families(fallbackTo: .sansSerif) }
    names = names.filter(catalogue.index.hasFamily)
    if names.isEmpty, generic != .serif { return families(for: .serif, language: language) }
    if names.isEmpty {
      // A folder with none of the usual faces: its first that can write Latin, else its first.
      let faces = catalogue.index.faces
      if let first = faces.first(where: { $0.covers(0x61) && $0.slant == .normal }) ?? faces.first {
        names = [first.family]
      }
    }
    return names
  }

  private func families(fallbackTo generic: GenericFamily) -> [String] {
    FontFamilies.defaults(for: generic, language: nil).map(FontCatalogue.fold)
  }

  /// fontconfig's order of families in a language, asked once.
  func configuredFamilies(language: String?) -> [String] {
    let catalogue = catalogue
    return state.withLock { state in
      let key = language ?? ""
      if let known = state.configuredFamilies[key] { return known }
      let found = catalogue.configuredFamilies(language: language)
      state.configuredFamilies[key] = found
      return found
    }
  }

  /// The alias that configurations speak of; the younger generic families have none.
  static func fontconfigName(_ generic: GenericFamily) -> String {
    switch generic {
    case .serif, .math, .fangsong: "serif"
    case .sansSerif, .systemUI: "sans-serif"
    case .monospace: "monospace"
    case .cursive: "cursive"
    case .fantasy: "fantasy"
    case .emoji: "emoji"
    }
  }
}

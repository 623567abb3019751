import Platform
package import Primitives
import Synchronization

/// An `@font-face` rule, as far as choosing and opening its face goes (CSS Fonts 4, section 4).
package struct FontFaceDefinition: Sendable {
  package enum Source: Sendable {
    /// A font of the book. The key names its resource and is the same for equal resources; the fragment names a font of
    /// a collection, by its PostScript name (RFC 8081, section 4.4.5) or its number.
    case data(key: String, fragment: String? = nil, load: @Sendable () -> [UInt8]?)
    /// An installed face by full or PostScript name.
    case local(String)
  }

  package var family: String
  package var sources: [Source]
  package var weight: ClosedRange<UInt16>
  /// The weights are those of the font, where it has an axis for them.
  package var hasAutomaticWeight = false
  package var slant: FontSlant
  /// Degrees that an oblique face can lean to the right.
  package var angles = FontDescription.defaultObliqueAngle...FontDescription.defaultObliqueAngle
  package var stretch: ClosedRange<Float>
  /// Empty for all characters.
  package var unicodeRanges: [ClosedRange<UInt32>]
  /// Axis and feature settings that hold before those of the text (CSS Fonts 4, section 7.2).
  package var variations: [FontSetting] = []
  package var features: [FontSetting] = []
  package var adjustments = FontAdjustments()

  package init(
    family: String, sources: [Source], weight: ClosedRange<UInt16> = 400...400, slant: FontSlant = .normal,
    stretch: ClosedRange<Float> = 100...100, unicodeRanges: [ClosedRange<UInt32>] = []
  ) {
    self.family = family
    self.sources = sources
    self.weight = weight
    self.slant = slant
    self.stretch = stretch
    self.unicodeRanges = unicodeRanges
  }
}

extension FontFaceDefinition: MatchableFace {}

/// The faces one chapter sees: those of its `@font-face` rules, and the library's.
package final class FontBook: Sendable {
  package let library: FontLibrary
  private let rules: [FontFaceDefinition]
  private let palettes: [FontPaletteValues]
  /// Positions in `rules` by folded family.
  private let rulesByFamily: [String: [Int]]

  private struct CascadeKey: Hashable {
    var description: FontDescription
    var language: String?
  }

  private struct FallbackKey: Hashable {
    var cascade: Int
    var script: String
    var prefersEmoji: Bool
    var scalars: [UInt32]
  }

  private struct ChainKey: Hashable {
    var cascade: Int
    var script: String
    var prefersEmoji: Bool
  }

  /// The first face of a chain, which most characters of the script take.
  private struct Leader {
    var installed: InstalledFace
    var face: FontFace
  }

  private struct State {
    var cascades: [CascadeKey: FontCascade] = [:]
    var fallbacks: [FallbackKey: FontFace?] = [:]
    /// Installed faces to try for a cascade and script, best first.
    var chains: [ChainKey: [Int]] = [:]
    var leaders: [ChainKey: Leader] = [:]
    /// All other installed faces, by cascade.
    var tails: [Int: [Int]] = [:]
    var failedRules: Set<Int> = []
    var diagnostics = DiagnosticSink()
  }

  private let state = Lock(State())

  package init(
    library: FontLibrary, rules: [FontFaceDefinition] = [], palettes: [FontPaletteValues] = []
  ) {
    self.library = library
    self.palettes = palettes
    self.rules = rules
    var byFamily: [String: [Int]] = [:]
    for (index, rule) in rules.enumerated() { byFamily[FontCatalogue.fold(rule.family), default: []].append(index) }
    rulesByFamily = byFamily
  }

  /// The warnings about fonts that could not be used, each once.
  package var diagnostics: DiagnosticSink { state.withLock { $0.diagnostics } }

  /// A rule declares a family of this name.
  package func declares(family: String) -> Bool { rulesByFamily[FontCatalogue.fold(family)] != nil }

  /// The face with an id the library gave out.
  package func face(_ id: FontID) -> FontFace? { library.face(id) }

  /// The faces of a family list in a language; the last-resort face alone when there is not a single font.
  package func cascade(for description: FontDescription, language: String? = nil) -> FontCascade {
    let key = CascadeKey(description: description, language: language)
    if let known = state.withLock({ $0.cascades[key] }) { return known }
    let made = makeCascade(description, language: language)
    return state.withLock { state in
      if let known = state.cascades[key] { return known }
      let cascade = FontCascade(
        index: state.cascades.count, description: description, language: language, leading: made.leading,
        primary: made.primary, generic: made.generic, rest: made.rest)
      state.cascades[key] = cascade
      return cascade
    }
  }

  /// The face that gives line metrics and font-relative units: the cascade's first available font.
  package func primaryFace(for description: FontDescription, language: String? = nil) -> FontFace {
    cascade(for: description, language: language).primary
  }

  private func makeCascade(_ description: FontDescription, language: String?) -> (
    leading: [FontCascade.Entry], primary: FontFace, generic: GenericFamily, rest: @Sendable () -> [FontCascade.Entry]
  ) {
    var leading: [FontCascade.Entry] = []
    var families = description.families.prefix(64)
    let named = families.lazy.compactMap { if case .generic(let kind) = $0 { kind } else { nil } }.first
    while let family = families.popFirst() {
      for entry in entries(of: family, for: description, language: language) { Self.add(entry, to: &leading) }
      guard let primary = leading.first(where: { $0.mayDrawSpace })?.face else { continue }
      let (known, behind) = (leading, families)
      return (
        leading, primary, named ?? Self.generic(like: leading[0].face),
        { [weak self] in
          guard let self else { return [] }
          var all = known
          for family in behind {
            for entry in entries(of: family, for: description, language: language) { Self.add(entry, to: &all) }
          }
          if named == nil { addDefaults(to: &all, for: description, language: language) }
          return Array(all.dropFirst(known.count))
        }
      )
    }
    let generic = named ?? leading.first.map { Self.generic(like: $0.face) } ?? .serif
    if named == nil { addDefaults(to: &leading, for: description, language: language) }
    if leading.isEmpty { leading = [FontCascade.Entry(face: library.lastResort, unicodeRanges: [])] }
    let primary = leading.first(where: { $0.mayDrawSpace }) ?? leading[0]
    return (leading, primary.face, generic, { [] })
  }

  private static func add(_ entry: FontCascade.Entry, to entries: inout [FontCascade.Entry]) {
    if !entries.contains(where: { $0.face === entry.face && $0.unicodeRanges == entry.unicodeRanges }) {
      entries.append(entry)
    }
  }

  /// The faces of one name of a family list.
  private func entries(of family: FontFamily, for description: FontDescription, language: String?)
    -> [FontCascade.Entry]
  {
    switch family {
    case .named(let name):
      let embedded = embeddedFaces(FontCatalogue.fold(name), for: description)
      if !embedded.isEmpty { return embedded }
      let families = library.families(named: name, language: language)
      let own = installed(families, for: description)
      // The marks of a face that the book names itself are those that it wants.
      return families == [FontCatalogue.fold(name)]
        ? own : marks(before: own, for: description, language: language) + own
    case .generic(let kind):
      let own = installed(library.families(for: kind, language: language), for: description)
      return marks(before: own, for: description, language: language) + own
    }
  }

  /// The face of the marks of Traditional text where a face that stands in for another has those of Simplified text.
  private func marks(before entries: [FontCascade.Entry], for description: FontDescription, language: String?)
    -> [FontCascade.Entry]
  {
    guard let face = entries.first?.face,
      let family = FontFamilies.marks(besides: face.familyName, language: language)
    else { return [] }
    return installed([FontCatalogue.fold(family)], for: description).map {
      FontCascade.Entry(face: $0.face, unicodeRanges: FontFamilies.stops)
    }
  }

  /// The first of some families that is installed.
  private func installed(_ families: [String], for description: FontDescription) -> [FontCascade.Entry] {
    for family in families {
      if let position = library.match(family: family, for: description),
        let face = library.face(installed: position, for: description)
      {
        return [FontCascade.Entry(face: painted(face, for: description), unicodeRanges: [])]
      }
    }
    return []
  }

  /// Default faces behind a list that names no generic family.
  private func addDefaults(to entries: inout [FontCascade.Entry], for description: FontDescription, language: String?) {
    // Browsers take these for characters that the author's own fonts lack.
    var defaults = entries.isEmpty ? [] : installed(["liberation serif"], for: description)
    // The user agent sets text in these that names no family.
    defaults += installed(library.families(for: .serif, language: language), for: description)
    for entry in defaults { Self.add(entry, to: &entries) }
  }

  /// The generic family that a face belongs to by its looks.
  private static func generic(like face: FontFace) -> GenericFamily {
    if face.isMonospace, !face.isCJK { return .monospace }
    let name = FontCatalogue.fold(face.familyName)
    return name.contains("sans") || name.contains("gothic") || name.contains("biolinum") ? .sansSerif : .serif
  }

  /// The composite face of an `@font-face` family: of the rules that match best, all that share their descriptors, the
  /// last declared first. Rules whose font cannot be opened are as if they were not there.
  private func embeddedFaces(_ family: String, for description: FontDescription) -> [FontCascade.Entry] {
    guard let members = rulesByFamily[family] else { return [] }
    let failed = state.withLock { $0.failedRules }
    // Reversed: a later rule wins over an equal earlier one.
    var candidates = members.reversed().filter { !failed.contains($0) }
    while !candidates.isEmpty {
      guard let best = FontMatching.order(candidates.map { rules[$0] }, for: description).first else { return [] }
      let chosen = rules[candidates[best]]
      let group = candidates.filter {
        rules[$0].weight == chosen.weight && rules[$0].slant == chosen.slant && rules[$0].angles == chosen.angles
          && rules[$0].stretch == chosen.stretch
      }
      var entries: [FontCascade.Entry] = []
      for index in group {
        if let face = open(rule: index, for: description) {
          entries.append(
            FontCascade.Entry(face: painted(face, for: description), unicodeRanges: rules[index].unicodeRanges))
          if rules[index].unicodeRanges.isEmpty { break }
        }
      }
      if !entries.isEmpty { return entries }
      candidates.removeAll { group.contains($0) }
    }
    return []
  }

  /// A colour face with the palette that a description asks for (CSS Fonts 4, section 9.1). Of the rules of a name the last
  /// for the face's family holds; without one the face keeps its own colours.
  private func painted(_ face: FontFace, for description: FontDescription) -> FontFace {
    guard face.isColor else { return face }
    switch description.palette {
    case .normal: return face
    case .light: return library.face(face, painted: PaletteSelection(base: .light))
    case .dark: return library.face(face, painted: PaletteSelection(base: .dark))
    case .named(let name):
      let family = FontCatalogue.fold(face.familyName)
      let values = palettes.last { values in
        values.name == name && values.families.contains { FontCatalogue.fold($0) == family }
      }
      return values.map { library.face(face, painted: $0.selection) } ?? face
    }
  }

  private func open(rule index: Int, for description: FontDescription) -> FontFace? {
    let rule = rules[index]
    var problems: [(key: String, error: FontError)] = []
    for source in rule.sources {
      switch source {
      case .local(let name):
        if let (position, instance) = library.local(name),
          let face = library.face(installed: position, for: description, instance: instance, as: rule)
        {
          return face
        }
      case .data(let key, let fragment, let load):
        switch library.file(key: key, load: load) {
        case .failure(let error): problems.append((key, error))
        case .success(let file):
          guard let number = file.number(fragment: fragment) else {
            problems.append((key, .invalid("the collection has no font \(fragment ?? "")")))
            continue
          }
          var known = rule
          if rule.hasAutomaticWeight, let weights = Variations.weights(of: file, index: number) {
            known.weight = weights
          }
          if rule.slant == .normal, description.slant != .normal,
            let angles = Variations.slantAngles(of: file, index: number)
          {
            // A rule that says nothing of slants has those of its font.
            known.slant = .oblique
            known.angles = angles
          }
          let settings = FontMatching.variations(of: known, description, settings: rule.variations)
          // The face is known to be CJK once it is open, so the slant is decided on a first opening without it.
          var traits = FontFace.Traits(
            familyName: rule.family, styleName: nil,
            weight: Swift.max(known.weight.lowerBound, Swift.min(known.weight.upperBound, description.weight)),
            slant: known.slant, isEmbedded: true, isSyntheticBold: FontMatching.needsBold(known.weight, description),
            variations: settings, features: rule.features, adjustments: rule.adjustments)
          guard let face = library.face(file: file, index: number, traits: traits) else {
            problems.append((key, .invalid("the font cannot be read")))
            continue
          }
          traits.syntheticSlant = FontMatching.syntheticSlant(known.slant, isCJK: face.isCJK, description)
          if traits.syntheticSlant != 0 {
            return library.face(file: file, index: number, traits: traits) ?? face
          }
          return face
        }
      }
    }
    state.withLock { state in
      guard state.failedRules.insert(index).inserted else { return }
      for problem in problems {
        state.diagnostics.warn("unusable-font", resource: problem.key, problem.error.message)
      }
    }
    return nil
  }

  /// The face for a cluster that no face of the cascade draws: the first of the fallback chain that has all its
  /// characters, else the first that has its base. `nil` when no installed face has the base.
  ///
  /// - Parameters:
  ///   - cluster: The scalars of a grapheme cluster, base first.
  ///   - script: ISO 15924 code of the run, such as `Hani`; `Zyyy` for common characters.
  ///   - prefersEmoji: `true` if the cluster has emoji presentation.
  package func fallback(for cluster: [UInt32], in cascade: FontCascade, script: String, prefersEmoji: Bool = false)
    -> FontFace?
  {
    let needed = cluster.filter { !Self.isIgnorable($0) }
    guard let base = needed.first else { return cascade.primary }
    // A private character means something only in the font it was meant for.
    if (0xE000...0xF8FF).contains(base) || base >= 0xF0000 { return nil }
    let chainKey = ChainKey(cascade: cascade.index, script: script, prefersEmoji: prefersEmoji)
    if needed.count == 1, let leader = state.withLock({ $0.leaders[chainKey] }), leader.installed.covers(base) {
      return leader.face
    }
    let key = FallbackKey(cascade: cascade.index, script: script, prefersEmoji: prefersEmoji, scalars: needed)
    if let known = state.withLock({ $0.fallbacks[key] }) { return known }
    let index = library.catalogue.index
    var found: FontFace?
    var place: Int?
    var partial: Int?
    func search(_ positions: [Int]) {
      for position in positions where found == nil {
        let installed = index.face(position)
        guard installed.covers(base) else { continue }
        if needed.allSatisfy(installed.covers) {
          found = library.face(installed: position, for: cascade.description)
          place = position
        } else if partial == nil {
          partial = position
        }
      }
    }
    let chain = chain(for: cascade, script: script, prefersEmoji: prefersEmoji)
    search(chain)
    if let found, place == chain.first {
      let face = painted(found, for: cascade.description)
      state.withLock { $0.leaders[chainKey] = Leader(installed: index.face(chain[0]), face: face) }
    }
    if found == nil { search(tail(for: cascade)) }
    if found == nil, let partial { found = library.face(installed: partial, for: cascade.description) }
    found = found.map { painted($0, for: cascade.description) }
    state.withLock { $0.fallbacks[key] = .some(found) }
    return found
  }

  /// The chain of the generic family, language and script: each family as its best matching face.
  private func chain(for cascade: FontCascade, script: String, prefersEmoji: Bool) -> [Int] {
    let key = ChainKey(cascade: cascade.index, script: script, prefersEmoji: prefersEmoji)
    if let known = state.withLock({ $0.chains[key] }) { return known }
    var names: [String] = prefersEmoji ? ["noto color emoji"] : []
    if library.catalogue.followsConfiguration {
      names += library.families(for: cascade.generic, language: cascade.language).prefix(1)
      names += library.configuredFamilies(language: cascade.language)
    } else {
      names += FontFamilies.fallback(for: cascade.generic, language: cascade.language, script: script)
        .map(FontCatalogue.fold)
    }
    let positions = matches(names, for: cascade.description)
    state.withLock { $0.chains[key] = positions }
    return positions
  }

  /// Every installed family, for what the chain lacks.
  private func tail(for cascade: FontCascade) -> [Int] {
    if let known = state.withLock({ $0.tails[cascade.index] }) { return known }
    let positions = matches(library.catalogue.index.familyOrder, for: cascade.description)
    state.withLock { $0.tails[cascade.index] = positions }
    return positions
  }

  private func matches(_ families: [String], for description: FontDescription) -> [Int] {
    var positions: [Int] = []
    for name in families {
      if let position = library.match(family: name, for: description), !positions.contains(position) {
        positions.append(position)
      }
    }
    return positions
  }

  /// Characters that need no glyph: joiners, variation selectors, bidi controls, tags.
  private static func isIgnorable(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00AD, 0x034F, 0x061C, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F,
      0xFEFF, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}

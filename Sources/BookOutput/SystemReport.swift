import CYAML
import ChapterEngine
import Fonts
import ImageCodecs
import Images
import Platform
package import Primitives
import Publications
import RasterRendering
import Text
package import Typesetting

/// What the system has that books need, and the packages with what it lacks (`typeset doctor`).
package struct SystemReport: Sendable {
  /// The faces for a script, for emoji, symbols or formulas.
  package struct Faces: Sendable {
    /// An ISO 15924 code.
    package let code: String
    package let name: String
    /// The family that is taken first; nil where no font has the script.
    package let family: String?
    /// The package with a family; nil where there is one, or no package has any.
    package let package: String?
  }

  /// The hyphenation patterns of a language.
  package struct Patterns: Sendable {
    /// A BCP 47 tag.
    package let language: String
    package let isInstalled: Bool
    /// The package with them; nil where they are installed.
    package let package: String?
  }

  package let packages = SystemPackages.current
  package let libraries: [OptionalLibrary]
  package let scripts: [Faces]
  package let patterns: [Patterns]

  /// - Parameter settings: Name the folders of fonts that are looked through.
  package init(settings: TypesettingSettings = TypesettingSettings()) {
    libraries = [.icu, .fontconfig, .cairo] + OptionalLibrary.ofPictures + OptionalLibrary.ofFormats + [.yaml]
    scripts = Worker.run { Self.scripts(settings) }
    patterns = Self.patterns(installed: Hyphenator.installedLanguages, packages)
  }

  /// What books lose text or pictures without: packages, in order, each once.
  package var neededPackages: [String] {
    Self.unique(libraries.filter(\.isEssential).compactMap(\.missingPackage) + scripts.compactMap(\.package))
  }

  /// What makes pages better or faster.
  package var usefulPackages: [String] {
    let needed = Set(neededPackages)
    let others = libraries.compactMap(\.missingPackage) + patterns.compactMap(\.package)
    return Self.unique(others.filter { !needed.contains($0) })
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  // MARK: Scripts

  /// Characters that stand for their script where its first letter is a rare one.
  private static let samples: [Script: UInt32] = [
    .latin: 0x61, .arabic: 0x628, .han: 0x4E00, .hangul: 0xAC00, .hiragana: 0x3042, .katakana: 0x30A2,
  ]

  private static func scripts(_ settings: TypesettingSettings) -> [Faces] {
    let report = FontReport(settings: settings, families: ["serif"], language: "")
    func script(_ code: String, _ name: String, _ family: String?) -> Faces {
      Faces(code: code, name: name, family: family, package: family == nil ? report.missingPackage(for: code) : nil)
    }
    let real = firstLetters().map { found, letter in
      script(found.code, found.name, report.family(for: samples[found] ?? letter))
    }
    return real.sorted { $0.name < $1.name } + [
      script("Zsym", "symbols", report.family(for: 0x2192)), script("Zsye", "emoji", report.family(for: 0x1F600)),
      script("Zmth", "formulas", report.formulaFamily),
    ]
  }

  /// The first letter of each script, or its first character where it has none.
  private static func firstLetters() -> [Script: UInt32] {
    var letters: [Script: UInt32] = [:]
    var others: [Script: UInt32] = [:]
    for scalar in UInt32(0x41)...0x1FFFF {
      let properties = CharacterProperties(scalar)
      guard properties.script.isReal, letters[properties.script] == nil else { continue }
      if properties.category.isLetter {
        letters[properties.script] = scalar
      } else if others[properties.script] == nil {
        others[properties.script] = scalar
      }
    }
    return letters.merging(others) { letter, _ in letter }
  }

  // MARK: Hyphenation

  /// Languages with patterns, installed or in packages, by their tags.
  static func patterns(installed: [String], _ packages: SystemPackages) -> [Patterns] {
    let known = SystemPackages.hyphenatedLanguages
    var list = known.map { language in
      let tag = language.lowercased()
      // A language with patterns for one region alone has those.
      let isInstalled = installed.contains { $0 == tag || $0.hasPrefix(tag + "-") }
      return Patterns(
        language: language, isInstalled: isInstalled, package: isInstalled ? nil : packages.patterns(language))
    }
    let primaries = Set(known.map { $0.prefix { $0 != "-" } })
    for tag in Set(installed.map { $0.prefix { $0 != "-" } }) where !primaries.contains(tag) {
      list.append(Patterns(language: String(tag), isInstalled: true, package: nil))
    }
    return list.sorted { $0.language < $1.language }
  }
}

extension OptionalLibrary {
  /// What reads the files of `typeset snapshot`.
  package static var yaml: Self {
    unsafe Self(
      "libyaml", purpose: "corpus.yaml of typeset snapshot", isEssential: false, missingFile: yaml_missing_library())
  }
}

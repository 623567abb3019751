import CFontconfig
package import Primitives

extension FontLibrary {
  /// The package that would bring a face for a script; nil where it is installed already, or where none does.
  ///
  /// - Parameter script: An ISO 15924 code: also `Zsye` for emoji, `Zsym` for symbols, `Zmth` for formulas and `Zzzz`
  ///   for what means nothing by itself.
  package func missingPackage(for script: String) -> String? {
    guard let set = SystemPackages.faceSet(for: script),
      !Self.families(of: set).contains(where: catalogue.index.hasFamily)
    else { return nil }
    return SystemPackages.current.faces(set)
  }

  /// Families, folded, that are installed with a set of faces.
  private static func families(of set: SystemPackages.FaceSet) -> [String] {
    switch set {
    case .core: ["noto serif", "noto sans"]
    case .cjk: ["noto serif cjk sc", "noto sans cjk sc"]
    case .emoji: ["noto color emoji"]
    case .mathematics: FontFamilies.defaults(for: .math, language: nil).map(FontCatalogue.fold)
    }
  }
}

extension OptionalLibrary {
  /// What knows the installed fonts.
  package static var fontconfig: Self {
    unsafe Self("fontconfig", purpose: "the fonts of the system", missingFile: fontconfig_missing_library())
  }
}

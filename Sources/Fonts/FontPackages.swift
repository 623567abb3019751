/// Debian packages that bring the faces which the engine takes for a script: those of `FontFamilies` that have most scripts.
enum FontPackages {
  private static let han = (package: "fonts-noto-cjk", families: ["noto serif cjk sc", "noto sans cjk sc"])
  private static let emoji = (package: "fonts-noto-color-emoji", families: ["noto color emoji"])
  private static let core = (package: "fonts-noto-core", families: ["noto serif", "noto sans"])

  /// The package for a script by its ISO 15924 code, and families that are installed with it; nil where no package has the script.
  static func package(for script: String) -> (package: String, families: [String])? {
    switch script {
    case "Hani", "Hira", "Kana", "Hang", "Bopo": han
    case "Zsye": emoji
    // Scripts that Noto had not drawn when Debian 13 came out, and what is of no script.
    case "Chrs", "Cpmn", "Diak", "Kawi", "Kits", "Maka", "Nagm", "Nand", "Ougr", "Tnsa", "Toto", "Vith", "Zzzz": nil
    default: core
    }
  }
}

extension FontLibrary {
  /// The Debian package that would bring a face for a script; nil where it is installed already, or where none does.
  ///
  /// - Parameter script: An ISO 15924 code: also `Zsye` for emoji, `Zsym` for symbols and `Zzzz` for what means nothing by itself.
  package func missingPackage(for script: String) -> String? {
    guard let known = FontPackages.package(for: script), !known.families.contains(where: catalogue.index.hasFamily)
    else { return nil }
    return known.package
  }
}

import Platform

/// The packages of an operating system by which it gets what books need and the engine does not bring along:
/// libraries, faces, hyphenation patterns. What warnings and `typeset doctor` advise is read here.
package struct SystemPackages: Sendable {
  /// Systems with packages of one naming.
  package enum Family: String, Sendable { case debian, ubuntu, fedora, other }

  /// Faces that come together: those that the engine takes first for a script.
  package enum FaceSet: Hashable, Sendable { case core, cjk, emoji, mathematics }

  package let family: Family
  /// As the system calls itself, such as `Debian GNU/Linux 13 (trixie)`; empty where it does not say.
  package let name: String

  /// Those of the system that the program runs on.
  package static let current = Self(osRelease: text(of: "/etc/os-release") ?? text(of: "/usr/lib/os-release") ?? "")

  /// - Parameter text: The system's os-release(5).
  package init(osRelease text: String) {
    var values: [Substring: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      values[parts[0]] = parts[1].filter { $0 != "\"" && $0 != "'" }
    }
    name = values["PRETTY_NAME"] ?? ""
    let names = [values["ID"] ?? "", values["ID_LIKE"] ?? ""].flatMap { $0.split(separator: " ") }
    family = names.lazy.compactMap { Self.families[$0] }.first ?? .other
  }

  private static let families: [Substring: Family] = [
    "debian": .debian, "ubuntu": .ubuntu, "fedora": .fedora, "rhel": .fedora,
  ]

  private static func text(of path: String) -> String? {
    guard let bytes = try? SystemFile.start(of: path, count: 16 << 10), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Packages

  /// The package with a library. Those of other systems have the name that Debian gives them.
  ///
  /// - Parameter file: The library's file name with its version, such as `libwebp.so.7`.
  package func library(_ file: String) -> String {
    let parts = file.firstRange(of: ".so.").map { (file[..<$0.lowerBound], file[$0.upperBound...]) }
    let (stem, version) = parts ?? (file[...], "")
    if family == .fedora { return Self.fedoraLibraries[stem] ?? String(stem) }
    return switch stem {
    case "libjpeg": family == .ubuntu || version == "8" ? "libjpeg-turbo\(version)" : "libjpeg\(version)-turbo"
    case "librsvg-2": "librsvg2-\(version)"
    case "libicuuc": "libicu\(version)"
    // Debian Policy, section 8.1.
    default: stem.last?.isNumber == true ? "\(stem)-\(version)" : "\(stem)\(version)"
    }
  }

  private static let fedoraLibraries: [Substring: String] = [
    "libcairo": "cairo", "libfontconfig": "fontconfig", "librsvg-2": "librsvg2", "libjpeg": "libjpeg-turbo",
    "libgif": "giflib", "liblcms2": "lcms2", "libisal": "isa-l", "libicuuc": "libicu", "libyaml-0": "libyaml",
    "libcmark-gfm": "cmark-gfm", "libcmark-gfm-extensions": "cmark-gfm",
    "libpcre2-8": "pcre2",
  ]

  /// The package with a set of faces.
  package func faces(_ set: FaceSet) -> String {
    switch (set, family == .fedora) {
    case (.core, false): "fonts-noto-core"
    case (.core, true): "google-noto-fonts-all"
    case (.cjk, false): "fonts-noto-cjk"
    case (.cjk, true): "google-noto-serif-cjk-fonts"
    case (.emoji, false): "fonts-noto-color-emoji"
    case (.emoji, true): "google-noto-color-emoji-fonts"
    case (.mathematics, false): "fonts-texgyre-math"
    case (.mathematics, true): "texlive-tex-gyre-math"
    }
  }

  /// The faces for a script; nil where no package has any.
  ///
  /// - Parameter script: An ISO 15924 code: also `Zsye` for emoji, `Zmth` for formulas and `Zzzz` for what means
  ///   nothing by itself.
  package static func faceSet(for script: String) -> FaceSet? {
    switch script {
    case "Hani", "Hira", "Kana", "Hang", "Bopo": .cjk
    case "Zsye": .emoji
    case "Zmth": .mathematics
    // Scripts that Noto had not drawn when Debian 13 came out, and what is of no script.
    case "Chrs", "Cpmn", "Diak", "Kawi", "Kits", "Maka", "Nagm", "Nand", "Ougr", "Tnsa", "Toto", "Vith", "Zzzz": nil
    default: .core
    }
  }

  /// The languages, as BCP 47 tags, whose hyphenation patterns are in packages.
  package static let hyphenatedLanguages = [
    "af", "as", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en-GB", "en-US", "es", "fr", "gl", "gu", "hi", "hr",
    "hu", "id", "is", "it", "kn", "lt", "lv", "ml", "mn", "mr", "nb", "nl", "nn", "or", "pa", "pl", "pt-BR", "pt-PT",
    "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "th", "uk", "zu",
  ]

  /// The package with the hyphenation patterns of a language; nil where none has them.
  ///
  /// - Parameter language: A BCP 47 tag. Of languages with patterns for some regions the region counts.
  package func patterns(_ language: String) -> String? {
    let parts = language.lowercased().split { $0 == "-" || $0 == "_" }
    guard let primary = parts.first else { return nil }
    let known = Self.hyphenatedLanguages.map { $0.lowercased() }
    let regions = known.filter { $0.hasPrefix(primary + "-") }
    guard known.contains(String(primary)) || primary == "no" || !regions.isEmpty else { return nil }
    if family == .fedora { return "hyphen-" + (primary == "no" ? "nb" : primary) }
    if ["nb", "nn", "no"].contains(primary) { return "hyphen-no" }
    guard !regions.isEmpty else { return "hyphen-" + primary }
    let region = parts.dropFirst().last { $0.count == 2 }
    switch primary {
    case "pt": return region == "br" ? "hyphen-pt-br" : "hyphen-pt-pt"
    // English of the Commonwealth is divided as in Britain.
    default: return region == nil || region == "us" ? "hyphen-en-us" : "hyphen-en-gb"
    }
  }

  // MARK: Advice

  /// The end of a message of what is missing: `; install PACKAGE`.
  package func advice(_ package: String) -> String {
    "; install \(package)" + (family == .other ? ", as Debian calls it" : "")
  }

  /// The command that installs packages.
  package func command(installing packages: [String]) -> String {
    let names = packages.joined(separator: " ")
    return switch family {
    case .debian, .ubuntu: "apt-get install \(names)"
    case .fedora: "dnf install \(names)"
    case .other: "(as Debian calls them) \(names)"
    }
  }
}

import Testing

@testable import Primitives

/// Packages by the names that systems give them.
@Suite struct SystemPackagesTests {
  private let debian = SystemPackages(osRelease: "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nID=debian\n")
  private let ubuntu = SystemPackages(osRelease: "ID=ubuntu\nID_LIKE=debian\n")
  private let fedora = SystemPackages(osRelease: "NAME=\"Rocky Linux\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n")

  @Test func `a system is known by its name, or by those that it is like`() {
    #expect(debian.family == .debian && debian.name == "Debian GNU/Linux 13 (trixie)")
    #expect(ubuntu.family == .ubuntu && fedora.family == .fedora)
    #expect(SystemPackages(osRelease: "ID=linuxmint\nID_LIKE='ubuntu debian'").family == .ubuntu)
    let other = SystemPackages(osRelease: "ID=plan9\nno assignment\n=\nVERSION")
    #expect(other.family == .other && other.name.isEmpty)
    #expect(other.advice("libwebp7") == "; install libwebp7, as Debian calls it")
    #expect(debian.advice("libwebp7") == "; install libwebp7")
  }

  @Test(arguments: [
    ("libwebp.so.7", "libwebp7", "libwebp"), ("libavif.so.16", "libavif16", "libavif"),
    ("libjxl.so.0.11", "libjxl0.11", "libjxl"), ("libjpeg.so.62", "libjpeg62-turbo", "libjpeg-turbo"),
    ("librsvg-2.so.2", "librsvg2-2", "librsvg2"), ("liblcms2.so.2", "liblcms2-2", "lcms2"),
    ("libyaml-0.so.2", "libyaml-0-2", "libyaml"), ("libicuuc.so.76", "libicu76", "libicu"),
    ("libcmark-gfm-extensions.so.0.29.0.gfm.13", "libcmark-gfm-extensions0.29.0.gfm.13", "cmark-gfm"),
  ])
  func `the package of a library follows from its file`(_ file: String, _ inDebian: String, _ inFedora: String) {
    #expect(debian.library(file) == inDebian)
    #expect(fedora.library(file) == inFedora)
  }

  @Test func `JPEG has another name on Ubuntu`() { #expect(ubuntu.library("libjpeg.so.8") == "libjpeg-turbo8") }

  @Test(
    arguments: [
      ("de", "hyphen-de"), ("de-AT", "hyphen-de"), ("en", "hyphen-en-us"), ("en-AU", "hyphen-en-gb"),
      ("en-US", "hyphen-en-us"),
      ("pt", "hyphen-pt-pt"), ("pt_BR", "hyphen-pt-br"), ("nb", "hyphen-no"), ("no", "hyphen-no"),
      ("sr-Latn-RS", "hyphen-sr"), ("qtz", nil), ("", nil), ("e", nil),
    ] as [(String, String?)])
  func `the package of patterns follows from the language`(_ language: String, _ package: String?) {
    #expect(debian.patterns(language) == package)
  }

  @Test func `scripts have the package of their faces, and what means nothing has none`() {
    let packages = ["Hani", "Thai", "Zsye", "Zmth", "Zzzz"].map { SystemPackages.faceSet(for: $0).map(debian.faces) }
    #expect(packages == ["fonts-noto-cjk", "fonts-noto-core", "fonts-noto-color-emoji", "fonts-texgyre-math", nil])
  }

  @Test func `the command is that of the system`() {
    #expect(debian.command(installing: ["a", "b"]) == "apt-get install a b")
    #expect(fedora.command(installing: ["a"]) == "dnf install a")
  }
}

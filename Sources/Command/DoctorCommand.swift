import ArgumentParser
import BookOutput
import Primitives
import Typesetting

/// `typeset doctor`: what the system has that books need.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show which libraries, faces and hyphenation patterns there are, and the packages with what is missing.",
    discussion: """
      EXIT CODES: 0 no book loses text or pictures for want of a library or a face that a package has; 69 some would.
      """)

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup(title: "Fonts") var fonts: FontOptions

  func run() throws {
    try fonts.check()
    var settings = TypesettingSettings()
    fonts.apply(to: &settings)
    let report = SystemReport(settings: settings)
    if json {
      StandardStream.output.write(Self.json(report))
    } else {
      StandardStream.output.write((Self.lines(report).joined(separator: "\n") + "\n").utf8)
    }
    try DiagnosticPrinter.checkOutput()
    if !report.neededPackages.isEmpty { throw ExitCode(69) }
  }

  // MARK: Text

  private static func lines(_ report: SystemReport) -> [String] {
    let system = report.packages.name.isEmpty ? "a system of unknown name" : report.packages.name
    var lines = ["typeset \(EngineVersion.current) on \(system)", "", "Libraries"]
    let width = (report.libraries.map(\.name.count).max() ?? 0) + 2
    for library in report.libraries {
      let state = library.missingPackage.map { "missing   \(library.purpose): \($0)" } ?? "installed \(library.purpose)"
      lines.append("  " + library.name + String(repeating: " ", count: width - library.name.count) + state)
    }
    lines += ["", "Faces"] + list("for", report.scripts.filter { $0.family != nil }.map(\.name))
    lines += byPackage(report.scripts.filter { $0.package != nil }.map { ($0.name, $0.package ?? "") })
    lines += list("in no package", report.scripts.filter { $0.family == nil && $0.package == nil }.map(\.name))
    lines += ["", "Hyphenation patterns"] + list("for", report.patterns.filter(\.isInstalled).map(\.language))
    lines += list(
      "missing", report.patterns.compactMap { language in language.package.map { "\(language.language): \($0)" } })
    lines.append("")
    if report.neededPackages.isEmpty {
      lines.append("No book loses text or pictures for want of a library or a face.")
    } else {
      lines += [
        "Books that need what is missing lose pictures, or show boxes for their characters. To install it:",
        "  " + report.packages.command(installing: report.neededPackages),
      ]
    }
    if !report.usefulPackages.isEmpty {
      lines += [
        "Words are divided in more languages, and pages drawn better or faster, with:",
        "  " + report.packages.command(installing: report.usefulPackages),
      ]
    }
    return lines
  }

  /// Names behind a heading, in lines of some hundred characters; nothing where there is no name.
  private static func list(_ heading: String, _ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    var lines = ["  " + heading]
    for (place, name) in names.enumerated() {
      let word = " " + name + (place + 1 < names.count ? "," : "")
      if lines[lines.count - 1].count + word.count > 110 { lines.append("   ") }
      lines[lines.count - 1] += word
    }
    return lines
  }

  private static func byPackage(_ missing: [(name: String, package: String)]) -> [String] {
    var packages: [String] = []
    for entry in missing where !packages.contains(entry.package) { packages.append(entry.package) }
    return packages.flatMap { package in
      list("missing, in \(package):", missing.filter { $0.package == package }.map(\.name))
    }
  }

  // MARK: JSON

  private static func json(_ report: SystemReport) -> [UInt8] {
    var writer = JSONWriter()
    func optional(_ key: String, _ value: String?) {
      guard let value else { return }
      writer.key(key)
      writer.value(value)
    }
    func list<Item>(_ key: String, _ items: [Item], _ write: (Item) -> Void) {
      writer.key(key)
      writer.beginArray()
      for item in items {
        writer.beginObject()
        write(item)
        writer.endObject()
      }
      writer.endArray()
    }
    func flag(_ key: String, _ value: Bool) {
      writer.key(key)
      writer.value(value)
    }
    func names(_ key: String, _ list: [String]) {
      writer.key(key)
      writer.beginArray()
      for name in list { writer.value(name) }
      writer.endArray()
    }
    writer.beginObject()
    optional("version", EngineVersion.current)
    optional("system", report.packages.name)
    list("libraries", report.libraries) { library in
      optional("name", library.name)
      optional("purpose", library.purpose)
      flag("essential", library.isEssential)
      flag("installed", library.isInstalled)
      optional("package", library.missingPackage)
    }
    list("scripts", report.scripts) { script in
      optional("code", script.code)
      optional("name", script.name)
      optional("family", script.family)
      optional("package", script.package)
    }
    list("hyphenation", report.patterns) { patterns in
      optional("language", patterns.language)
      flag("installed", patterns.isInstalled)
      optional("package", patterns.package)
    }
    names("needed", report.neededPackages)
    names("useful", report.usefulPackages)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}

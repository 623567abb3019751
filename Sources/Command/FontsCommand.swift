import ArgumentParser
import BookOutput
import Primitives
import Typesetting

/// `typeset fonts`: which faces would be used, and why.
struct FontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fonts",
    abstract: "Show which faces would be used for a text, and why.",
    discussion: "Without a text, the faces of the generic families are shown.")

  @Argument(help: "Characters to find faces for.")
  var text: [String] = []

  @Option(help: ArgumentHelp("Families to ask for, separated by commas.", valueName: "names"))
  var fontFamily: String = "serif"

  @Option(help: ArgumentHelp("The text's language, such as ja or zh-Hant.", valueName: "tag"))
  var lang: String = ""

  @OptionGroup var fonts: FontOptions
  @Option(help: ArgumentHelp("What serif stands for.", valueName: "name")) var serif: String?
  @Option(help: ArgumentHelp("What sans-serif stands for.", valueName: "name")) var sans: String?
  @Option(help: ArgumentHelp("What monospace stands for.", valueName: "name")) var mono: String?

  func run() throws {
    try fonts.check()
    var settings = TypesettingSettings()
    fonts.apply(to: &settings)
    settings.serif = serif
    settings.sans = sans
    settings.mono = mono
    let families = Setting.names(in: fontFamily)
    let report = FontReport(settings: settings, families: families, language: lang)
    let lines = text.isEmpty ? report.genericFamilies() : report.faces(for: text.joined(separator: " "))
    StandardStream.output.write((lines.joined(separator: "\n") + "\n").utf8)
    for warning in report.missing(in: text.joined(separator: " ")) {
      DiagnosticPrinter.fail("warning: \(warning.message)")
    }
    try DiagnosticPrinter.checkOutput()
  }
}

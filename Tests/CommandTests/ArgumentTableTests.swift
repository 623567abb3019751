import ArgumentParser
import BookOutput
import Foundation
import TestSupport
import Testing

@testable import Command

/// The tables read what the argument parser reads.
struct ArgumentTableTests {
  /// A value for each option of the command that sets books; nil for flags.
  private let values: [String: String?]
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    let (sheet, words) = (
      try folder.write(Array("p {}".utf8), to: "a.css"), try folder.write(Array("ta-ble".utf8), to: "words")
    )
    values = [
      "pages": "out", "format": "png", "contact-sheet": "s.png",
      "pdf": "b.pdf", "pdf-standard": "a-2u,ua-1",
      "layout": "-", "text": "t.txt",
      "stats": "-",
      "only": "2-3", "chapters": "4-", "page-size": "300x400", "margin": "1cm 2px", "scale": "1.5", "media": "print",
      "furniture": "folios,heads",
      "font-size": "15pt", "line-height": "1.5", "font-family": "A, 'B'", "serif": "A", "sans": "B", "mono": "C",
      "publisher-styles": "off", "user-css": sheet, "encoding": "cp1251", "chapter-pattern": "^第.+章", "style": "house",
      "notes": "foot",
      "hyphenate": "on",
      "hyphenation-exceptions": words, "hyphenate-capitals": nil, "justify": "off", "reduce-stops": "off",
      "baseline-grid": "on", "character-grid": "on", "balance-pages": "on", "compose": "lines", "micro": "on",
      "letter-spacing": "0.1", "word-spacing": "0.2", "paragraph-spacing": "1", "paragraph-indent": "1.5",
      "legibility": "dyslexia", "ignore-properties": "text-align, color", "ruby": "off",
      "font-dir": "fonts",
      "no-system-fonts": nil, "jobs": "3", "max-memory": "2G", "max-time": "7.5", "progress": "never", "quiet": nil,
      "verbose": nil,
    ]
  }

  /// The names of all options, as the argument parser knows them.
  private func names() throws -> Set<String> {
    struct Help: Decodable {
      struct Name: Decodable { var kind, name: String }
      struct Argument: Decodable {
        var kind: String
        var names: [Name]?
      }
      struct Command: Decodable { var arguments: [Argument] }
      var command: Command
    }
    let help = try JSONDecoder().decode(Help.self, from: Data(SetCommand._dumpHelp().utf8))
    let options = help.command.arguments.filter { $0.kind != "positional" }
    return Set(options.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name)).subtracting(["help"])
  }

  private func description(_ command: SetCommand) throws -> String {
    let running = command.running
    return "\(try command.runOptions()) \(running.progress as Any) \(running.quiet) \(running.verbose)"
  }

  @Test func `each option is read as the parser reads it, in both forms`() throws {
    #expect(try names() == Set(values.keys))
    let plain = try description(try #require(SetCommand(reading: ["book.epub"])))
    #expect(try plain == description(SetCommand.parse(["book.epub"])))
    for (name, value) in values {
      var forms = [["book.epub", "--\(name)"] + (value.map { [$0] } ?? [])]
      if let value { forms.append(["--pdf=a.pdf", "--\(name)=\(value)", "book.epub"]) }
      if name == "pdf-standard" { forms.removeFirst() }
      for arguments in forms {
        let read = try description(try #require(SetCommand(reading: arguments), "\(arguments)"))
        #expect(try read == description(SetCommand.parse(arguments)))
        #expect(read != plain || name == "format", "\(arguments)")
      }
    }
    let twice = ["b", "--font-dir", "one", "--scale", "2", "--font-dir", "two", "--scale", "3"]
    #expect(try description(try #require(SetCommand(reading: twice))) == description(SetCommand.parse(twice)))
  }

  /// Arguments that the parser refuses, and those it alone can read.
  @Test(arguments: [
    "", "a b", "a --what 1", "a --scale", "a --scale x", "a --scale -1", "a --scale=", "a --quiet=1",
    "a --quiet --verbose",
    "a -q", "a --", "--help", "a --text - --layout -", "a --jobs 0", "a --pdf-standard ua-1", "a --margin -- 1",
    "a --text --quiet",
  ])
  func `arguments that are not in order are left to the parser`(_ line: String) {
    #expect(SetCommand(reading: line.split(separator: " ").map(String.init)) == nil)
  }
}

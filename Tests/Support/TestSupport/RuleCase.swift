import BoxGeneration
import CSS
package import Fonts
package import Foundation
import Layout
import Markup
import Primitives
import Styling

/// A rule of a specification as two files: a page of HTML, `<rule>.html`, and what has to come of it, `<rule>.expected`.
///
/// The page is set in the font Square at 10 px, 200 by 200 px, without margins, unless the comment it begins with says otherwise,
/// one setting a line: `dump: fragments | boxes | styles | picture`, `page: 100x50`, `margin: 10`, `style: house`, `notes: foot`,
/// `language: ja`, `media: print`. Lines without such a name tell what the rule is.
package struct RuleCase: CustomStringConvertible, Sendable {
  package let path: URL
  /// `<specification>/<rule>`.
  package let name: String
  package var description: String { name }
  package var expectedPath: URL { path.deletingPathExtension().appendingPathExtension("expected") }

  /// The folder of this file's package that holds what tests are made of.
  package static let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  private static let fontFolder = support.appendingPathComponent("Fonts")
  /// The set-up has drawn the test fonts (`Fonts/draw.py`): they are not kept with the sources.
  package static var areFontsDrawn: Bool {
    ["Square.ttf", "Letters.ttf"].allSatisfy {
      FileManager.default.fileExists(atPath: fontFolder.appendingPathComponent($0).path)
    }
  }
  /// The bytes of a test font; nil where the set-up has not drawn it.
  package static func font(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: fontFolder.appendingPathComponent(name))).map { [UInt8]($0) }
  }
  /// The test fonts alone.
  package static let fonts = FontLibrary(
    directories: [fontFolder.path], usesSystemFonts: false,
    genericFamilies: [.serif: "Square", .sansSerif: "Letters", .monospace: "Square"])

  /// All cases under a folder, in the order of their names.
  package static func all(in folder: URL) -> [RuleCase] {
    let specifications = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return specifications.sorted().flatMap { specification in
      let folder = folder.appendingPathComponent(specification)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted().filter { $0.hasSuffix(".html") }.map {
        RuleCase(path: folder.appendingPathComponent($0), name: specification + "/" + $0.dropLast(5))
      }
    }
  }

  /// A setting that a case may not have.
  package struct UnknownSetting: Error, CustomStringConvertible {
    package var description: String
  }

  /// Sets the page and tells of it what the case wants to know.
  package func dump() throws -> String {
    let source = [UInt8](try Data(contentsOf: path))
    let options = Self.options(String(decoding: source, as: UTF8.self))
    var page = (200, 200)
    var margin = 0
    var styles = StyleSettings()
    var isPrinted = false
    styles.hasBodyMargin = false
    for (name, value) in options {
      switch name {
      case "dump": break
      case "page":
        let sides = value.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw UnknownSetting(description: "page: \(value)") }
        page = (sides[0], sides[1])
      case "margin": margin = Int(value) ?? 0
      case "style": styles.usesHouseStyle = value == "house"
      case "notes": styles.movesNotes = value == "foot"
      case "language": styles.language = value
      case "media": isPrinted = value == "print"
      default: throw UnknownSetting(description: "\(name): \(value)")
      }
    }
    var layout = LayoutSettings(
      page: PageGeometry(
        size: Size(width: LayoutUnit(page.0), height: LayoutUnit(page.1)), margin: Sides(all: LayoutUnit(margin))),
      rootFontSize: 10)
    layout.bookPages = [.size, .margins]
    layout.isPrinted = isPrinted
    if isPrinted { styles.media.type = .print }
    // Rules that browsers do not follow.
    layout.deviations.alignsInitials = styles.usesHouseStyle
    layout.deviations.shrinksWideTables = styles.usesHouseStyle
    layout.deviations.raisesAnnotations = styles.usesHouseStyle
    layout.deviations.keepsBases = styles.usesHouseStyle
    layout.deviations.extendsFormulas = styles.usesHouseStyle
    layout.deviations.setsPicturesApart = styles.usesHouseStyle
    layout.deviations.leavesLooseLinesRagged = styles.usesHouseStyle
    layout.deviations.fillsLastPages = styles.usesHouseStyle
    layout.composition.closesFrames = styles.usesHouseStyle
    layout.composition.widensText = styles.usesHouseStyle
    styles.extendsFormulas = styles.usesHouseStyle
    let set = SetDocument(source, as: .html, fonts: Self.fonts, styles: styles, layout: layout)
    let dump = Self.dump(options)
    switch dump {
    case "fragments": return set.dumpFragments()
    case "boxes": return set.tree.dump(set.styled.document)
    case "styles": return set.styled.dump() + "\n"
    case "picture":
      return set.pages.enumerated().map {
        "page \($0.offset + 1)\n" + set.pixelArt($0.element).joined(separator: "\n") + "\n"
      }
      .joined()
    default: throw UnknownSetting(description: "dump: \(dump)")
    }
  }

  /// It tells how the page looks, which only libcairo and librsvg can draw.
  package var isDrawn: Bool {
    Self.dump(Self.options((try? String(contentsOf: path, encoding: .utf8)) ?? "")) == "picture"
  }

  private static func dump(_ options: [(name: String, value: String)]) -> String {
    options.first { $0.name == "dump" }?.value ?? "fragments"
  }

  /// The settings in the comment that a source begins with.
  private static func options(_ source: String) -> [(name: String, value: String)] {
    guard source.hasPrefix("<!--"), let end = source.range(of: "-->") else { return [] }
    return source[..<end.lowerBound].dropFirst(4).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, ["dump", "page", "margin", "style", "notes", "language", "media"].contains(parts[0])
      else {
        return nil
      }
      return (parts[0], parts[1])
    }
  }
}

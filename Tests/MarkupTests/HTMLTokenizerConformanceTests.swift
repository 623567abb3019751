import Foundation
import Markup
import Primitives
import TestSupport
import Testing

/// The tokenizer tests of html5lib, where they are beside the project. Parse errors are not compared: none is told.
@Suite struct HTMLTokenizerConformanceTests {
  static let folder = URL(fileURLWithPath: SharedData.path("conformance/html5-tokenizer/tokenizer"))

  static var isThere: Bool { SharedData.isThere("conformance/html5-tokenizer/tokenizer") }

  @Test(.enabled(if: isThere, "the conformance data are not beside the project"))
  func `Tokens are those of the conformance suite`() throws {
    var count = 0
    var skipped = 0
    var failed: [String] = []
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "test" {
      let root = try #require(
        JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [[String: Any]]])
      // Those of "xmlViolationTests" are about trees that must be XML.
      skipped += root["xmlViolationTests"]?.count ?? 0
      for test in root["tests"] ?? [] {
        for state in test["initialStates"] as? [String] ?? ["Data state"] {
          guard let (input, expected) = parts(test) else {
            // Halves of surrogate pairs do not exist in UTF-8.
            skipped += 1
            continue
          }
          count += 1
          let found = tokens(input, state: state, lastStartTag: test["lastStartTag"] as? String ?? "")
          if found != expected {
            failed.append("\(file.lastPathComponent) \(state) \(input.debugDescription): \(found), not \(expected)")
          }
        }
      }
    }
    #expect(failed.isEmpty, "\(failed.count) differ: \(failed.prefix(40).joined(separator: "\n"))")
    #expect(count == 7028)
    #expect(skipped == 8)
  }

  // MARK: Tests

  private func parts(_ test: [String: Any]) -> (input: String, expected: [String])? {
    let isEscaped = test["doubleEscaped"] as? Bool ?? false
    func text(_ value: Any) -> String? { (value as? String).flatMap { isEscaped ? unescaped($0) : $0 } }
    guard let input = text(test["input"] ?? ""), let output = test["output"] as? [Any] else { return nil }
    var tokens: [String] = []
    for case let token as [Any] in output {
      guard let kind = token[0] as? String else { return nil }
      switch kind {
      case "StartTag":
        guard let name = text(token[1]), let attributes = token[2] as? [String: Any] else { return nil }
        var pairs: [String] = []
        for (name, value) in attributes {
          guard let name = text(name), let value = text(value) else { return nil }
          pairs.append(pair(name, value))
        }
        tokens.append(startTag(name, pairs, isSelfClosing: token.count > 3))
      case "DOCTYPE":
        tokens.append(
          documentType(
            token[1] as? String, token[2] as? String, token[3] as? String,
            forcesQuirks: !(token[4] as? Bool ?? true)))
      default:
        guard let data = text(token[1]) else { return nil }
        tokens.append("\(kind) \(data.debugDescription)")
      }
    }
    return (input, tokens)
  }

  /// The text with each `\uHHHH` replaced; nil if that makes halves of pairs.
  private func unescaped(_ text: String) -> String? {
    var units: [UInt16] = []
    var rest = text[...]
    while let mark = rest.range(of: "\\u") {
      units += rest[..<mark.lowerBound].utf16
      guard let unit = UInt16(rest[mark.upperBound...].prefix(4), radix: 16) else { return nil }
      units.append(unit)
      rest = rest[mark.upperBound...].dropFirst(4)
    }
    units += rest.utf16
    return String(validating: units, as: UTF16.self)
  }

  // MARK: Tokens in writing

  private func pair(_ name: String, _ value: String) -> String { "\(name.debugDescription)=\(value.debugDescription)" }

  private func startTag(_ name: String, _ pairs: [String], isSelfClosing: Bool) -> String {
    "StartTag \(name.debugDescription) \(pairs.sorted())\(isSelfClosing ? "/" : "")"
  }

  private func documentType(_ name: String?, _ publicID: String?, _ systemID: String?, forcesQuirks: Bool) -> String {
    let parts = [name, publicID, systemID].map { $0?.debugDescription ?? "none" }
    return "DOCTYPE \(parts.joined(separator: " "))\(forcesQuirks ? " quirks" : "")"
  }

  private func tokens(_ input: String, state: String, lastStartTag: String) -> [String] {
    let content: HTMLTokenizer.Content =
      switch state {
      case "PLAINTEXT state": .plaintext
      case "RCDATA state": .characterData
      case "RAWTEXT state": .rawText
      case "Script data state": .scriptData
      case "CDATA section state": .section
      default: .data
      }
    let source = Array(input.utf8)
    var tokenizer = HTMLTokenizer(content: content, lastStartTag: lastStartTag)
    var tokens: [String] = []
    var text: [UInt8] = []
    func finishText() {
      if !text.isEmpty { tokens.append("Character \(String(decoding: text, as: UTF8.self).debugDescription)") }
      text = []
    }
    while let token = tokenizer.next(source.span, isForeign: false) {
      switch token {
      case .text(let range): text += source[range]
      case .characters(let characters): text += Array(characters.utf8)
      case .null: text.append(0)
      case .startTag(let tag):
        finishText()
        let pairs = tag.attributes.map {
          pair(tokenizer.names.atoms.name(of: $0.name), String(decoding: $0.value, as: UTF8.self))
        }
        tokens.append(startTag(tokenizer.names.atoms.name(of: tag.name), pairs, isSelfClosing: tag.isSelfClosing))
      case .endTag(let name):
        finishText()
        tokens.append("EndTag \(tokenizer.names.atoms.name(of: name).debugDescription)")
      case .comment(let range):
        finishText()
        let data = tokenizer.text(range, of: source.span, resolvesReferences: false)
        tokens.append("Comment \(String(decoding: data, as: UTF8.self).debugDescription)")
      case .documentType(let type):
        finishText()
        tokens.append(
          documentType(
            type.name.isEmpty ? nil : type.name, type.publicIdentifier, type.systemIdentifier,
            forcesQuirks: type.forcesQuirks))
      }
    }
    finishText()
    return tokens
  }
}

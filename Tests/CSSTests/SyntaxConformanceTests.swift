import CSS
import Foundation
import TestSupport
import Testing

/// The css-parsing-tests, where they lie beside the package. They are of the 2013 draft; what the standard changed since is
/// skipped and counted by reason.
@Suite struct SyntaxConformanceTests {
  static let folder = URL(filePath: SharedData.path("conformance/css-parsing"), directoryHint: .isDirectory)
  static var isPresent: Bool { SharedData.isThere("conformance/css-parsing") }

  struct Tally: CustomStringConvertible {
    var passed = 0
    var failed: [String] = []
    var skipped: [String: Int] = [:]
    var description: String {
      "\(passed) passed, \(failed.count) failed, skipped: "
        + skipped.sorted { $0.key < $1.key }.map { "\($0.value) (\($0.key))" }.joined(separator: ", ")
    }
    mutating func compare(_ actual: String, _ expected: String, input: String) {
      if actual == expected {
        passed += 1
      } else {
        failed.append("\n  input    \(input.debugDescription)\n  expected \(expected)\n  actual   \(actual)")
      }
    }
  }

  static func cases(_ name: String) throws -> [(input: Any, expected: Any)] {
    let data = try Data(contentsOf: folder.appending(path: name))
    let list = try #require(JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? [Any])
    return stride(from: 0, to: list.count - 1, by: 2).map { (list[$0], list[$0 + 1]) }
  }

  /// One spelling for expected and actual values.
  static func spell(_ value: Any) -> String {
    switch value {
    case let list as [Any]:
      // Errors that do not change the tokens are not kept by the tokenizer.
      let kept = list.filter { item in
        guard let error = item as? [String], error.first == "error" else { return true }
        return !["eof-in-string", "eof-in-url"].contains(error[1])
      }
      return "[" + kept.map(spell).joined(separator: ",") + "]"
    case let text as String: return text.debugDescription
    case is NSNull: return "null"
    case let number as NSNumber: return String(number.doubleValue + 0)
    default: return "\(value)"
    }
  }

  /// Component values as the tests write them.
  static func describe(_ cursor: TokenCursor) -> [Any] {
    var cursor = cursor
    var values: [Any] = []
    while !cursor.isAtEnd {
      let token = cursor.token
      let text = cursor.text
      func number(_ type: String) -> [Any] {
        let digits = String(decoding: cursor.buffer.text[Int(token.start)...], as: UTF8.self)
          .prefixMatch(of: /[+-]?[0-9]*(\.[0-9]+)?([eE][+-]?[0-9]+)?/)?.output.0
        return [type, String(digits ?? ""), token.number, token.isInteger ? "integer" : "number"]
      }
      switch token.kind {
      case .ident: values.append(["ident", text])
      case .atKeyword: values.append(["at-keyword", text])
      case .hashID: values.append(["hash", text, "id"])
      case .hashUnrestricted: values.append(["hash", text, "unrestricted"])
      case .string: values.append(["string", text])
      case .badString: values.append(["error", "bad-string"])
      case .url: values.append(["url", text])
      case .badURL: values.append(["error", "bad-url"])
      case .number: values.append(number("number"))
      case .percentage: values.append(number("percentage"))
      case .dimension: values.append(number("dimension") + [text])
      case .whitespace: values.append(" ")
      case .cdo: values.append("<!--")
      case .cdc: values.append("-->")
      case .colon: values.append(":")
      case .semicolon: values.append(";")
      case .comma: values.append(",")
      case .closeCurly: values.append(["error", "}"])
      case .closeSquare: values.append(["error", "]"])
      case .closeParen: values.append(["error", ")"])
      case .delim:
        // The draft had tokens for the match operators.
        let next = cursor.peek()
        let pair = String(token.delim) + String(next.delim)
        if next.kind == .delim, next.start == token.start + 1, ["~=", "|=", "^=", "$=", "*=", "||"].contains(pair) {
          values.append(pair)
          cursor.advance()
        } else {
          values.append(String(token.delim))
        }
      case .function, .openParen, .openSquare, .openCurly:
        let head: [Any] =
          switch token.kind {
          case .function: ["function", text]
          case .openParen: ["()"]
          case .openSquare: ["[]"]
          default: ["{}"]
          }
        values.append(head + describe(cursor.enterBlock()))
        continue
      case .eof: break
      }
      cursor.advance()
    }
    return values
  }

  static func rules(_ buffer: TokenBuffer, isTopLevel: Bool) -> [Any] {
    var position = 0
    var rules: [Any] = []
    while let rule = buffer.tokens.nextRule(at: &position, end: buffer.tokens.count, isTopLevel: isTopLevel) {
      let prelude = describe(TokenCursor(buffer, rule.prelude))
      let block = rule.block.map { describe(TokenCursor(buffer, $0)) }
      if rule.isAtRule {
        let name = buffer.string(buffer.tokens[rule.start].text)
        rules.append(["at-rule", name, prelude, block as Any? ?? NSNull()] as [Any])
      } else if let block {
        rules.append(["qualified rule", prelude, block] as [Any])
      } else {
        rules.append(["error", "invalid"])
      }
    }
    return rules
  }

  static func buffer(_ text: String) -> TokenBuffer { TokenBuffer(tokenizing: Array(text.utf8)[...]) }

  /// Declarations whose meaning changed, or that only the entry point for one declaration takes.
  static let changed = [
    "@ media screen { div{;}} a:b;; @media print{div{": "a nested rule ends with its block",
    "foo:;": "semicolons in a single declaration", "foo:;bar:;": "semicolons in a single declaration",
    "foo: 9000 @bar{ !important": "a block among other values makes a declaration invalid",
  ]

  static func usesUnicodeRange(_ expected: Any) -> Bool { spell(expected).contains("\"unicode-range\"") }

  @Test(.enabled(if: isPresent, "css-parsing-tests are not beside the package"))
  func `Component values are those of the conformance suite`() throws {
    var tally = Tally()
    for (input, expected) in try Self.cases("component_value_list.json") {
      guard let text = input as? String else { continue }
      if Self.usesUnicodeRange(expected) {
        tally.skipped["unicode-range tokens", default: 0] += 1
        continue
      }
      tally.compare(Self.spell(Self.describe(TokenCursor(Self.buffer(text)))), Self.spell(expected), input: text)
    }
    print("component_value_list:", tally)
    #expect(tally.failed.isEmpty, "\(tally.failed.joined())")
  }

  @Test(
    .enabled(if: isPresent, "css-parsing-tests are not beside the package"),
    arguments: ["rule_list", "one_rule", "stylesheet"])
  func `Rule lists are those of the conformance suite`(name: String) throws {
    var tally = Tally()
    for (input, expected) in try Self.cases(name + ".json") {
      guard let text = input as? String else { continue }
      let rules = Self.rules(Self.buffer(text), isTopLevel: name == "stylesheet")
      if name == "one_rule" {
        let actual: Any =
          rules.isEmpty ? ["error", "empty"] : rules.count > 1 ? ["error", "extra-input"] : rules[0]
        tally.compare(Self.spell(actual), Self.spell(expected), input: text)
      } else {
        tally.compare(Self.spell(rules), Self.spell(expected), input: text)
      }
    }
    print(name + ":", tally)
    #expect(tally.failed.isEmpty, "\(tally.failed.joined())")
  }

  @Test(
    .enabled(if: isPresent, "css-parsing-tests are not beside the package"),
    arguments: ["declaration_list", "one_declaration"])
  func `Declarations are those of the conformance suite`(name: String) throws {
    var tally = Tally()
    for (input, expected) in try Self.cases(name + ".json") {
      guard let text = input as? String, let list = expected as? [Any] else { continue }
      // A list knows no errors, and lowers names; at-rules in it are dropped.
      let items = name == "one_declaration" ? [list] : list.compactMap { $0 as? [Any] }
      let wanted = items.filter { $0.first as? String == "declaration" }
      var sheet = Stylesheet()
      if let reason = Self.changed[text] {
        tally.skipped[reason, default: 0] += 1
        continue
      }
      let range = sheet.appendDeclarationList(Array(text.utf8)[...])
      let actual = sheet.declarations[Int(range.lowerBound)..<Int(range.upperBound)].map { declaration in
        [
          "declaration", sheet.name(of: declaration), Self.describe(sheet.value(of: declaration)),
          NSNumber(value: declaration.isImportant),
        ] as [Any]
      }
      let normalized = wanted.map { item in
        var item = item
        item[1] = (item[1] as? String ?? "").lowercased()
        // White space at the ends of a value is not kept by the current standard.
        var value = item[2] as? [Any] ?? []
        while value.first as? String == " " { value.removeFirst() }
        while value.last as? String == " " { value.removeLast() }
        item[2] = value
        return item
      }
      tally.compare(Self.spell(actual), Self.spell(normalized), input: text)
    }
    print(name + ":", tally)
    #expect(tally.failed.isEmpty, "\(tally.failed.joined())")
  }

  @Test(.enabled(if: isPresent, "css-parsing-tests are not beside the package"))
  func `An+B is read as the specification says`() throws {
    var tally = Tally()
    for (input, expected) in try Self.cases("An+B.json") {
      guard let text = input as? String else { continue }
      var cursor = TokenCursor(Self.buffer(text))
      cursor.skipWhitespace()
      let result = cursor.parseAnPlusB()
      cursor.skipWhitespace()
      var actual: Any = NSNull()
      if let (a, b) = result, cursor.isAtEnd { actual = [NSNumber(value: a), NSNumber(value: b)] }
      tally.compare(Self.spell(actual), Self.spell(expected), input: text)
    }
    print("An+B:", tally)
    #expect(tally.failed.isEmpty, "\(tally.failed.joined())")
  }

  @Test(.enabled(if: isPresent, "css-parsing-tests are not beside the package"))
  func `Bytes are decoded as the conformance suite has it`() throws {
    var tally = Tally()
    for (input, expected) in try Self.cases("stylesheet_bytes.json") {
      guard let input = input as? [String: Any], let text = input["css_bytes"] as? String,
        let expected = expected as? [Any]
      else { continue }
      if let encoding = expected[1] as? String, !["utf-8", "utf-16le", "utf-16be", "windows-1252"].contains(encoding) {
        tally.skipped["encoding \(encoding)", default: 0] += 1
        continue
      }
      let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      let decoded = decodeStylesheet(
        bytes, protocolEncoding: input["protocol_encoding"] as? String,
        environmentEncoding: input["environment_encoding"] as? String)
      let rules = Self.rules(TokenBuffer(tokenizing: decoded[...]), isTopLevel: true)
      tally.compare(Self.spell(rules), Self.spell(expected[0]), input: text)
    }
    print("stylesheet_bytes:", tally)
    #expect(tally.failed.isEmpty, "\(tally.failed.joined())")
  }
}

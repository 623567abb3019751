extension TokenBuffer {
  /// The tokens as text that reads as the same tokens (CSS Syntax 3, section 9).
  package var source: String {
    var result = ""
    for token in tokens {
      let text = string(token.text)
      switch token.kind {
      case .ident: result += text
      case .function: result += text + "("
      case .atKeyword: result += "@" + text
      case .hashID, .hashUnrestricted: result += "#" + text
      case .string: result += "\"" + text.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\""
      case .url: result += "url(\"" + text.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\")"
      case .delim: result.unicodeScalars.append(token.delim)
      case .number: result += text
      case .percentage: result += text + "%"
      case .dimension: result += "\(token.number)" + text
      case .whitespace: result += " "
      case .colon: result += ":"
      case .semicolon: result += ";"
      case .comma: result += ","
      case .openSquare: result += "["
      case .closeSquare: result += "]"
      case .openParen: result += "("
      case .closeParen: result += ")"
      case .openCurly: result += "{"
      case .closeCurly: result += "}"
      case .badString, .badURL, .cdo, .cdc, .eof: break
      }
    }
    return result
  }
}

import Markup
import Primitives

/// Documents the engine makes up: a page for an image in the reading order, a sentence for what cannot be read.
enum NoticePage {
  /// A page with one sentence, or an empty one.
  static func document(_ sentence: String?) -> Document {
    var builder = DocumentBuilder()
    builder.start(.html)
    builder.start(.body)
    if let sentence {
      builder.start(.p, attributes: [(.`class`, "typeset-notice")])
      builder.text(sentence)
      builder.end()
    }
    return builder.finish()
  }

  /// A page that shows one image of the book.
  static func image(path: String, title: String?) -> Document {
    var builder = DocumentBuilder()
    let name = path.split(separator: "/").last.map(String.init) ?? path
    builder.start(.html)
    builder.start(.body, attributes: [(.style, "margin: 0; text-align: center")])
    builder.start(.img, attributes: [(.src, escaped(name)), (.alt, title ?? "")])
    return builder.finish()
  }

  /// The name as a URL.
  private static func escaped(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var result = ""
    for byte in name.utf8 {
      if byte == 0x25 || byte == 0x23 || byte == 0x3F || byte == 0x3A || byte == 0x5C || byte <= 0x20 || byte >= 0x7F {
        result += "%"
        result.unicodeScalars.append(digits[Int(byte >> 4)])
        result.unicodeScalars.append(digits[Int(byte & 15)])
      } else {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return result
  }
}

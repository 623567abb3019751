/// The media types that the engine can show.
enum MediaType {
  static let svg = "image/svg+xml"
  static let xhtml = "application/xhtml+xml"
  static let ncx = "application/x-dtbncx+xml"

  /// Files of the type can be drawn as pictures.
  static func isPicture(_ type: String) -> Bool {
    switch type {
    case svg, "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/jxl", "image/bmp",
      "image/x-ms-bmp", "image/vnd.microsoft.icon", "image/x-icon":
      true
    default: false
    }
  }

  /// Files of the type can stand in the reading order (EPUB 3.3, section 3.2; of EPUB 2 and older the documents).
  static func isContent(_ type: String) -> Bool {
    switch type {
    case "", "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document": true
    default: isPicture(type)
    }
  }

  /// Files of the type may hide a document that can be read, for want of a better one.
  static func isMarkup(_ type: String) -> Bool { type == "application/xml" || type == "text/xml" }

  /// The type that a package means: without parameters, known by what it is often called, and, where it says nothing, by the
  /// file's name.
  static func named(_ declared: String, path: String) -> String {
    let type = declared.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    switch type {
    case "image/jpg", "image/pjpeg", "image/jpe": return "image/jpeg"
    case "image/svg", "image/svg-xml", "image/svg+xml-compressed": return svg
    case "image/x-png": return "image/png"
    case "application/xhtml", "application/xhtml-xml", "application/html+xml", "application/html", "text/xhtml",
      "text/xhtml+xml", "text/xhtml-xml", "application/x-xhtml+xml", "html", "xhtml", "text/htm":
      return xhtml
    case "application/x-dtbncx", "application/ncx+xml", "application/ncx", "text/ncx", "application/dtbncx+xml":
      return ncx
    case "", "application/octet-stream", "binary/octet-stream", "application/unknown", "application/x-unknown",
      "text/plain", "text", "unknown", "null":
      return ofName(path) ?? type
    default: return type
    }
  }

  /// The type by the end of a name.
  static func ofName(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "xhtml", "html", "htm", "xht": return xhtml
    case "svg": return svg
    case "png": return "image/png"
    case "jpg", "jpeg", "jpe": return "image/jpeg"
    case "gif": return "image/gif"
    case "webp": return "image/webp"
    case "avif": return "image/avif"
    case "jxl": return "image/jxl"
    case "bmp": return "image/bmp"
    case "ico": return "image/vnd.microsoft.icon"
    case "ncx": return ncx
    case "css": return "text/css"
    case "smil": return "application/smil+xml"
    case "js": return "text/javascript"
    case "ttf", "otf", "woff", "woff2": return "font/\(name[name.index(after: dot)...].lowercased())"
    default: return nil
    }
  }

  /// The type that the first bytes of a file tell; nil where they tell none that can stand in the reading order.
  static func ofContent(_ bytes: ArraySlice<UInt8>) -> String? {
    for (magic, type) in signatures where bytes.starts(with: magic) { return type }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    if bytes.dropFirst(4).starts(with: Array("ftypavif".utf8)) { return "image/avif" }
    let text = String(decoding: bytes.prefix(1024).filter { $0 != 0 }, as: UTF8.self).lowercased()
    guard text.contains("<") else { return nil }
    if text.contains("<svg"), !text.contains("<html") { return svg }
    return ["<html", "<!doctype html", "<body", "<head", "<p>", "<h1", "<div"].contains(where: text.contains)
      ? xhtml : nil
  }

  private static let signatures: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"), (Array("GIF8".utf8), "image/gif"),
    ([0xFF, 0x0A], "image/jxl"), ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], "image/jxl"),
  ]
}

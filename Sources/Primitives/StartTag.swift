/// Start tags of XML and HTML as bytes of an encoding that is ASCII's for ASCII.
package enum StartTag {
  /// Behind the `>` that ends a tag, which none in a quoted value of an attribute does; nil where the tag has no end.
  ///
  /// - Parameter start: Where the tag is looked into: not within a value.
  /// - Complexity: O(length of the tag).
  package static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return nil
  }
}

import CUnicode

extension AozoraMarkup {
  /// Replaces the notes that stand for characters which the encoding of the file does not have, `※［＃「…」、第3水準1-84-77］` and
  /// `※［＃「…」、U+566F、12-3］`, by these characters. A note that names no code stays.
  static func resolvingGaiji(in line: String) -> String {
    guard line.contains("※［＃") else { return line }
    var result = ""
    var rest = line[...]
    while let start = rest.firstRange(of: "※［＃"), let close = rest[start.upperBound...].firstIndex(of: "］") {
      result += rest[..<start.lowerBound]
      if let character = gaiji(rest[start.upperBound..<close]) {
        result += character
      } else {
        result += rest[start.lowerBound...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// The character that a note names by its code point, or by plane, row and cell of JIS X 0213.
  private static func gaiji(_ note: Substring) -> String? {
    for part in note.split(separator: "、").dropFirst().reversed() {
      if part.hasPrefix("U+"), let value = UInt32(part.dropFirst(2), radix: 16), let scalar = Unicode.Scalar(value),
        scalar.properties.generalCategory != .control
      {
        return String(scalar)
      }
      let code = part.drop { !$0.isASCII || !$0.isNumber }
      let level = part.hasPrefix("第3水準") || part.hasPrefix("第4水準")
      let numbers = (level ? part.dropFirst(4) : code).split(separator: "-").map { Int($0) }
      guard numbers.count == 3, let plane = numbers[0], let row = numbers[1], let cell = numbers[2],
        (1...2).contains(plane), (1...94).contains(row), (1...94).contains(cell)
      else { continue }
      var scalars: (UInt32, UInt32) = (0, 0)
      let count = unsafe cu_jisx0213(Int32(plane), Int32(row), Int32(cell), &scalars.0, &scalars.1)
      guard count > 0, let first = Unicode.Scalar(scalars.0) else { continue }
      var character = String(first)
      if count > 1, let second = Unicode.Scalar(scalars.1) { character.unicodeScalars.append(second) }
      return character
    }
    return nil
  }
}

/// A number of bytes as people write it: `500M`, `2GiB`, `1000000`.
package func byteCount(_ text: String) -> Int? {
  let text = text.lowercased()
  let digits = text.prefix { $0.isNumber || $0 == "." }
  guard let number = Double(digits), number > 0 else { return nil }
  let factor: Double
  switch text.dropFirst(digits.count) {
  case "", "b": factor = 1
  case "k", "kb", "kib": factor = 1024
  case "m", "mb", "mib": factor = 1024 * 1024
  case "g", "gb", "gib": factor = 1024 * 1024 * 1024
  default: return nil
  }
  return number * factor < 1e17 ? Int(number * factor) : nil
}

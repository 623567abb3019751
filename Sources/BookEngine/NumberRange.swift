/// A range of numbers from 1, such as `3`, `3-9`, `12-` or `-5`.
package struct NumberRange: Hashable, Sendable {
  package var first: Int
  /// nil is without end.
  package var last: Int?

  package init(first: Int, last: Int?) {
    self.first = first
    self.last = last
  }

  package init?(_ text: String) {
    func number(_ part: Substring) -> Int? {
      guard !part.isEmpty, part.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(part), value > 0 else {
        return nil
      }
      return value
    }
    guard let dash = text.firstIndex(of: "-") else {
      guard let value = number(text[...]) else { return nil }
      self.init(first: value, last: value)
      return
    }
    let start = text[..<dash]
    let end = text[text.index(after: dash)...]
    if start.isEmpty, end.isEmpty { return nil }
    guard let first = start.isEmpty ? 1 : number(start) else { return nil }
    if end.isEmpty {
      self.init(first: first, last: nil)
    } else {
      guard let last = number(end), last >= first else { return nil }
      self.init(first: first, last: last)
    }
  }

  package func contains(_ number: Int) -> Bool { number >= first && (last.map { number <= $0 } ?? true) }
}

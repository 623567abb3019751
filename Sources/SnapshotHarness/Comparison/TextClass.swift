/// The class of a piece of text that one run has and the other has not: pieces of one class are one kind of change.
enum TextClass: String {
  case nothing = ""
  /// Digits and the marks of notes.
  case number = "numbers or marks of notes"
  case punctuation
  case word = "short texts"
  /// Long texts are all different.
  case passage

  /// Scalars of a text that is not a passage.
  static let longest = 12

  init(_ text: String) {
    let scalars = text.unicodeScalars
    if scalars.isEmpty {
      self = .nothing
    } else if scalars.allSatisfy(Self.isOfNumbers) {
      self = .number
    } else if scalars.count > Self.longest {
      self = .passage
    } else if scalars.allSatisfy({ !$0.properties.isAlphabetic && $0.properties.numericType == nil }) {
      self = .punctuation
    } else {
      self = .word
    }
  }

  /// A scalar may be of the mark of a note: a digit, asterisk, dagger, section mark or bracket.
  static func isOfNumbers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x28...0x2A, 0x5B, 0x5D, 0xA7, 0xB6, 0x2016, 0x2020, 0x2021, 0x203B, 0xFE0E: true
    default: scalar.properties.numericType != nil && !(0x3400...0x9FFF).contains(scalar.value)
    }
  }

  /// For people: what became of a text in one place.
  static func detail(lost: String, added: String, variant: ChangeKey.Variant, in element: ElementKind) -> String {
    if variant == .marker {
      return added.isEmpty
        ? "list marker “\(lost)” lost"
        : lost.isEmpty ? "list marker “\(added)” added" : "list marker “\(lost)” became “\(added)”"
    }
    if lost.isEmpty { return "“\(added)” added in \(element.name) text" }
    if added.isEmpty { return "“\(lost)” lost in \(element.name) text" }
    return "\(element.name) text “\(lost)” became “\(added)”"
  }
}

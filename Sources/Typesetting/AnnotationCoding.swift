import FoundationEssentials
import Graphics
import Primitives

// Annotations as JSON: for programs, and for what they keep. What other reading systems read is made by
// `AnnotationSet.jsonLD(for:)`.

extension Annotation: Codable {
  private enum CodingKeys: CodingKey { case style, stroke, start, end, color }

  private enum Name: String, Codable { case highlight, underline, note }

  private static let strokes: [(name: String, style: StrokeStyle)] = [
    ("solid", .solid), ("dotted", .dotted), ("dashed", .dashed), ("double", .double), ("wavy", .wavy),
  ]

  /// Reads what `encode(to:)` writes. Without a style it is a highlight, without a colour it has that of `init`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let style: Style
    switch try values.decodeIfPresent(Name.self, forKey: .style) ?? .highlight {
    case .highlight: style = .highlight
    case .note: style = .note
    case .underline:
      let name = try values.decodeIfPresent(String.self, forKey: .stroke) ?? "solid"
      guard let known = Self.strokes.first(where: { $0.name == name }) else {
        throw DecodingError.dataCorruptedError(
          forKey: .stroke, in: values, debugDescription: "no stroke is called \(name)")
      }
      style = .underline(known.style)
    }
    self.init(style, try values.range(.start, .end))
    if let color = try values.decodeIfPresent(Color.self, forKey: .color) { self.color = color }
  }

  /// Writes `style`, `color`, the ends of the range as `start` and `end`, and of an underline its `stroke`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch style {
    case .highlight: try values.encode(Name.highlight, forKey: .style)
    case .note: try values.encode(Name.note, forKey: .style)
    case .underline(let stroke):
      try values.encode(Name.underline, forKey: .style)
      try values.encode(Self.strokes.first { $0.style == stroke }?.name, forKey: .stroke)
    }
    try values.encode(range, .start, .end)
    try values.encode(color, forKey: .color)
  }
}

extension AnnotationSet.Item: Codable {
  private enum CodingKeys: CodingKey { case id, text, created, modified, creator }

  /// Reads what `encode(to:)` writes; what is left out is empty.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(String.self, forKey: .id), try Annotation(from: decoder),
      text: try values.decodeIfPresent(String.self, forKey: .text) ?? "",
      created: try values.date(.created), modified: try values.date(.modified),
      creator: try values.decodeIfPresent(String.self, forKey: .creator))
  }

  /// Writes the annotation with what is said of it beside its range and style.
  public func encode(to encoder: any Encoder) throws {
    try annotation.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(text, forKey: .text)
    try values.encodeIfPresent(created.map(Timestamp.text), forKey: .created)
    try values.encodeIfPresent(modified.map(Timestamp.text), forKey: .modified)
    try values.encodeIfPresent(creator, forKey: .creator)
  }
}

extension AnnotationSet: Codable {
  private enum CodingKeys: CodingKey { case id, title, generator, generated, items, unresolved }

  /// Reads what `encode(to:)` writes; without items it is empty.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(String.self, forKey: .id), title: try values.decodeIfPresent(String.self, forKey: .title),
      generator: try values.decodeIfPresent(String.self, forKey: .generator),
      generated: try values.date(.generated),
      items: try values.decodeIfPresent([Item].self, forKey: .items) ?? [])
    unresolved = try values.decodeIfPresent([String].self, forKey: .unresolved) ?? []
  }

  /// Writes the set with its items; `unresolved` is what was read and not found.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encodeIfPresent(title, forKey: .title)
    try values.encodeIfPresent(generator, forKey: .generator)
    try values.encodeIfPresent(generated.map(Timestamp.text), forKey: .generated)
    try values.encode(items, forKey: .items)
    try values.encode(unresolved, forKey: .unresolved)
  }
}

extension KeyedDecodingContainer {
  /// A time in the form of ISO 8601; nil where there is none.
  fileprivate func date(_ key: Key) throws -> Date? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let date = Timestamp.date(text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "it is no time: \(text)")
    }
    return date
  }
}

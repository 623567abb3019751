import Primitives

extension StructureNode: Codable {
  private enum CodingKeys: CodingKey {
    case role, level, isOrdered, columnSpan, rowSpan, language, alternative, mathML, label, href, source, text, start
    case end, rectangles, continuesFromPreviousPage, continuesOnNextPage, children
  }

  /// Reads what `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try values.decodeIfPresent(Value.self, forKey: key)
    }
    self.init(
      role: try values.decode(Role.self, forKey: .role),
      range: try values.range(.start, .end))
    attributes.level = try value(.level)
    attributes.isOrdered = try value(.isOrdered) ?? false
    attributes.columnSpan = try value(.columnSpan) ?? 1
    attributes.rowSpan = try value(.rowSpan) ?? 1
    language = try value(.language)
    attributes.alternative = try value(.alternative)
    attributes.mathML = try value(.mathML)
    attributes.label = try value(.label)
    attributes.href = try value(.href)
    if values.contains(.source) { source = try values.place(.source) }
    text = try value(.text)
    rectangles = try value(.rectangles) ?? []
    continuesFromPreviousPage = try value(.continuesFromPreviousPage) ?? false
    continuesOnNextPage = try value(.continuesOnNextPage) ?? false
    children = try value(.children) ?? []
  }

  /// Writes the node with what is in it; the ends of its range as `start` and `end`. What it does not have is left out.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(role, forKey: .role)
    try values.encodeIfPresent(attributes.level, forKey: .level)
    if attributes.isOrdered { try values.encode(true, forKey: .isOrdered) }
    if attributes.columnSpan != 1 { try values.encode(attributes.columnSpan, forKey: .columnSpan) }
    if attributes.rowSpan != 1 { try values.encode(attributes.rowSpan, forKey: .rowSpan) }
    try values.encodeIfPresent(language, forKey: .language)
    try values.encodeIfPresent(attributes.alternative, forKey: .alternative)
    try values.encodeIfPresent(attributes.mathML, forKey: .mathML)
    try values.encodeIfPresent(attributes.label, forKey: .label)
    try values.encodeIfPresent(attributes.href, forKey: .href)
    if let source { try values.encode(source, as: .source) }
    try values.encodeIfPresent(text, forKey: .text)
    try values.encode(range, .start, .end)
    if !rectangles.isEmpty { try values.encode(rectangles, forKey: .rectangles) }
    if continuesFromPreviousPage { try values.encode(true, forKey: .continuesFromPreviousPage) }
    if continuesOnNextPage { try values.encode(true, forKey: .continuesOnNextPage) }
    if !children.isEmpty { try values.encode(children, forKey: .children) }
  }
}

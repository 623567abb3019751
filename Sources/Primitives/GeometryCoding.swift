// Geometry as arrays of numbers in CSS px.

extension Rect: Codable {
  /// Reads x, y, width and height.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.init(x: try values.length(), y: try values.length(), width: try values.length(), height: try values.length())
  }

  /// Writes x, y, width and height.
  public func encode(to encoder: any Encoder) throws {
    try write([x, y, width, height], to: encoder)
  }
}

extension Point: Codable {
  /// Reads x and y.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.init(x: try values.length(), y: try values.length())
  }

  /// Writes x and y.
  public func encode(to encoder: any Encoder) throws {
    try write([x, y], to: encoder)
  }
}

extension Size: Codable {
  /// Reads width and height.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.init(width: try values.length(), height: try values.length())
  }

  /// Writes width and height.
  public func encode(to encoder: any Encoder) throws {
    try write([width, height], to: encoder)
  }
}

extension UnkeyedDecodingContainer {
  fileprivate mutating func length() throws -> LayoutUnit { LayoutUnit(try decode(Double.self)) }
}

private func write(_ lengths: [LayoutUnit], to encoder: any Encoder) throws {
  var values = encoder.unkeyedContainer()
  for length in lengths { try values.encode(length.pixels) }
}

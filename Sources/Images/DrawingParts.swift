/// Parts of a drawing that are written when it is first drawn.
package struct DrawingParts: Sendable {
  /// Bytes that are the same for the same parts, within a generation.
  let identity: [UInt8]
  let generation: Int
  /// The document with the parts in it, from the document without, which may have been changed in between.
  let complete: @Sendable ([UInt8]) -> [UInt8]

  package init(identity: [UInt8], generation: Int, complete: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    self.identity = identity
    self.generation = generation
    self.complete = complete
  }
}

/// The source of a drawing, whole once it has been drawn.
struct DrawingSource: Sendable {
  private(set) var bytes: [UInt8]
  private var parts: DrawingParts?

  init(_ bytes: [UInt8], _ parts: DrawingParts?) {
    self.bytes = bytes
    self.parts = parts
  }

  /// All of the document.
  mutating func complete() -> [UInt8] {
    if let parts { bytes = parts.complete(bytes) }
    parts = nil
    return bytes
  }
}

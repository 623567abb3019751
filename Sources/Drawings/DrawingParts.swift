/// Parts of a drawing that are written when it is first drawn.
package struct DrawingParts: Sendable {
  /// Bytes that are the same for the same parts, within a generation.
  package let identity: [UInt8]
  package let generation: Int
  /// The document with the parts in it, from the document without, which may have been changed in between.
  package let complete: @Sendable ([UInt8]) -> [UInt8]

  package init(identity: [UInt8], generation: Int, complete: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    self.identity = identity
    self.generation = generation
    self.complete = complete
  }
}

/// The source of a drawing, whole once it has been drawn.
package struct DrawingSource: Sendable {
  private(set) var bytes: [UInt8]
  private var completion: Completion?

  /// Makes the whole document of one that lacks parts.
  package typealias Completion = @Sendable ([UInt8]) -> [UInt8]

  init(_ bytes: [UInt8], _ completion: Completion?) {
    self.bytes = bytes
    self.completion = completion
  }

  /// All of the document.
  mutating func complete() -> [UInt8] {
    if let completion { bytes = completion(bytes) }
    completion = nil
    return bytes
  }
}

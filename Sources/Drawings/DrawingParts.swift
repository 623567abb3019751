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

/// The source of a drawing, which may lack parts until it is drawn.
package struct DrawingSource: Sendable {
  private let bytes: [UInt8]
  private let completion: Completion?
  /// All of the document, where it was made before and is small.
  private var whole: [UInt8]?

  /// Makes the whole document of one that lacks parts.
  package typealias Completion = @Sendable ([UInt8]) -> [UInt8]

  /// A larger document, with pictures in it, is made anew whenever it is drawn: what is kept is its bitmap.
  private static let mostKept = 128 << 10

  init(_ bytes: [UInt8], _ completion: Completion?) {
    self.bytes = bytes
    self.completion = completion
  }

  /// All of the document.
  mutating func complete() -> [UInt8] {
    guard let completion else { return bytes }
    if let whole { return whole }
    let made = completion(bytes)
    if made.count <= Self.mostKept { whole = made }
    return made
  }
}

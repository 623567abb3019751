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
  /// All of the document, once it was made.
  private var whole: [UInt8]?

  /// Makes the whole document of one that lacks parts.
  package typealias Completion = @Sendable ([UInt8]) -> [UInt8]

  /// A larger document has pictures in it.
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
    whole = made
    return made
  }

  /// Gives up a large document whose bitmap is kept: it is made anew where it is drawn again.
  mutating func trim() {
    if let whole, whole.count > Self.mostKept { self.whole = nil }
  }
}

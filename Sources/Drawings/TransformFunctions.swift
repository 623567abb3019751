package import Graphics
import Platform

extension AffineTransform {
  /// A function of the attribute `transform` (CSS Transforms 1, section 8); nil for one that there is not, or with too
  /// many or too few numbers.
  package init?(function name: String, _ values: [Float]) {
    switch (name, values.count) {
    case ("matrix", 6):
      self.init(a: values[0], b: values[1], c: values[2], d: values[3], tx: values[4], ty: values[5])
    case ("translate", 1), ("translate", 2): self.init(tx: values[0], ty: values.count > 1 ? values[1] : 0)
    case ("scale", 1), ("scale", 2): self.init(a: values[0], d: values[values.count - 1])
    case ("rotate", 1), ("rotate", 3):
      let (sine, cosine) = Self.sineAndCosine(values[0])
      self.init(a: cosine, b: sine, c: -sine, d: cosine)
      guard values.count == 3 else { return }
      self = AffineTransform(tx: -values[1], ty: -values[2]).concatenating(self)
        .concatenating(AffineTransform(tx: values[1], ty: values[2]))
    case ("skewX", 1): self.init(c: tanf(values[0] * .pi / 180))
    case ("skewY", 1): self.init(b: tanf(values[0] * .pi / 180))
    default: return nil
    }
  }
}

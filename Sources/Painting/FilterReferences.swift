import CSS
import Graphics
import Markup
import Primitives

/// `<filter>` elements that boxes refer to (Filter Effects 1, section 8), as far as their primitives are steps one after the other:
/// changes of colours, blurs and shadows.
extension PagePainting {
  /// What a filter of the document does to pixels; nothing where it is none, or uses primitives of other kinds.
  mutating func referencedFilters(_ url: String) -> [PixelFilter] {
    guard let filter = referencedElement(url), name(of: filter) == "filter" else { return [] }
    var steps: [PixelFilter] = []
    var previous: String?
    for primitive in document.children(of: filter) where document.nodes[primitive.index].kind == .element {
      let input = attribute("in", of: primitive)
      guard steps.isEmpty ? input == nil || input == "SourceGraphic" : input == nil || input == previous,
        let step = step(primitive, of: filter)
      else { return [] }
      previous = attribute("result", of: primitive)
      steps.append(step)
    }
    return steps
  }

  private func name(of element: NodeID) -> String { document.names.name(of: document.nodes[element.index].name) }
  private func attribute(_ name: String, of element: NodeID) -> String? {
    document.drawingAttribute(name, of: element)
  }

  private func step(_ primitive: NodeID, of filter: NodeID) -> PixelFilter? {
    switch name(of: primitive).lowercased() {
    case "fecolormatrix": return colorMatrix(primitive).map { inItsSpace($0, primitive, filter) }
    case "fecomponenttransfer": return transfer(primitive).map { inItsSpace($0, primitive, filter) }
    case "fegaussianblur":
      let deviations = numbers("stdDeviation", of: primitive)
      guard let deviation = deviations.first, deviation >= 0, deviations.allSatisfy({ $0 == deviation }) else {
        return nil
      }
      return .blur(LayoutUnit(deviation))
    case "fedropshadow":
      var color = Color.black
      if let declared = attribute("flood-color", of: primitive) {
        var parser = ValueParser(
          TokenCursor(TokenBuffer(tokenizing: Array(declared.utf8)[...])), context: ValueContext())
        if let known = parser.absoluteColor() { color = known }
      }
      let opacity = numbers("flood-opacity", of: primitive).first ?? 1
      return .dropShadow(
        x: LayoutUnit(numbers("dx", of: primitive).first ?? 2), y: LayoutUnit(numbers("dy", of: primitive).first ?? 2),
        blur: LayoutUnit(numbers("stdDeviation", of: primitive).first ?? 2),
        Color(
          red: color.red, green: color.green, blue: color.blue,
          alpha: UInt8(Float(color.alpha) * Swift.max(0, Swift.min(1, opacity)))))
    default: return nil
    }
  }

  /// A change of colours in linear light, unless `color-interpolation-filters` says otherwise (section 13).
  private func inItsSpace(_ matrix: [Float], _ primitive: NodeID, _ filter: NodeID) -> PixelFilter {
    let name = "color-interpolation-filters"
    let space = attribute(name, of: primitive) ?? attribute(name, of: filter) ?? "linearRGB"
    return space.lowercased() == "srgb" ? .colorMatrix(matrix) : .linearColorMatrix(matrix)
  }

  private static let noChange: [Float] = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]

  /// `feColorMatrix` (section 9.6).
  private func colorMatrix(_ primitive: NodeID) -> [Float]? {
    let values = numbers("values", of: primitive)
    switch attribute("type", of: primitive) ?? "matrix" {
    case "matrix":
      if values.isEmpty { return Self.noChange }
      return values.count == 20 ? values : nil
    case "saturate": return Self.matrix(of: .saturate(values.first ?? 1))
    case "hueRotate": return Self.matrix(of: .hueRotate(values.first ?? 0))
    case "luminanceToAlpha":
      return [Float](repeating: 0, count: 15) + [0.2125, 0.7154, 0.0721, 0, 0]
    default: return nil
    }
  }

  /// `feComponentTransfer` (section 9.7) of functions that are straight lines.
  private func transfer(_ primitive: NodeID) -> [Float]? {
    var matrix = Self.noChange
    for function in document.children(of: primitive) where document.nodes[function.index].kind == .element {
      guard let row = ["fefuncr", "fefuncg", "fefuncb", "fefunca"].firstIndex(of: name(of: function).lowercased())
      else { continue }
      var (slope, intercept): (Float, Float) = (1, 0)
      switch attribute("type", of: function) ?? "identity" {
      case "identity": break
      case "linear":
        slope = numbers("slope", of: function).first ?? 1
        intercept = numbers("intercept", of: function).first ?? 0
      case "table":
        let values = numbers("tableValues", of: function)
        if values.isEmpty { break }
        guard values.count == 2 else { return nil }
        (slope, intercept) = (values[1] - values[0], values[0])
      default: return nil
      }
      matrix[row * 6] = slope
      matrix[row * 5 + 4] = intercept
    }
    return matrix
  }
}

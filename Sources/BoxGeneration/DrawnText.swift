import CSS
package import Drawings
package import Graphics
import Markup
package import Primitives
import Styling

/// The text of a drawing and the places where it shows it, to be found and copied there.
package struct DrawnText: Sendable {
  /// Clusters of one face on a straight line.
  package struct Line: Sendable {
    package var font: FontID
    /// In the coordinates of the text, as all lengths here.
    package var size: Float
    /// By which the glyphs are turned clockwise, in degrees.
    package var angle: Float
    package var clusters: [Cluster] = []
    /// From the coordinates of the text to those of the drawing's `viewBox`.
    package var map = AffineTransform()
  }

  package struct Cluster: Sendable {
    package var glyph: UInt16
    /// UTF-16 of what it stands for.
    package var units: [UInt16]
    /// The place on the baseline where it begins.
    package var pen: SIMD2<Float>
  }

  package var viewport: DrawingViewport
  /// In the order of the drawing.
  package var lines: [Line] = []
}

extension SVGDrawings {
  func viewport(of svg: NodeID) -> DrawingViewport {
    let numbers = SVGTransforms.numbers(attribute("viewBox", of: svg) ?? "")
    return DrawingViewport(
      box: numbers.count == 4 ? (SIMD2(numbers[0], numbers[1]), SIMD2(numbers[2], numbers[3])) : nil,
      preserveAspectRatio: attribute("preserveAspectRatio", of: svg))
  }

  /// The map from the coordinates of an element to those of its drawing; nil for what is not shown where it stands.
  func drawingMap(of element: NodeID, in root: NodeID) -> AffineTransform? {
    var map = AffineTransform()
    var around = element
    while around != root, !around.isNone {
      let node = document.nodes[around.index]
      switch node.name {
      case .defs, .symbol, .clipPath, .pattern, .mask, .marker: return nil
      case .svg:
        let place = SVGTransforms.numbers(attribute("x", of: around) ?? "").first ?? 0
        let top = SVGTransforms.numbers(attribute("y", of: around) ?? "").first ?? 0
        let width = SVGTransforms.numbers(attribute("width", of: around) ?? "").first ?? 0
        let height = SVGTransforms.numbers(attribute("height", of: around) ?? "").first ?? 0
        if width > 0, height > 0 {
          map = map.concatenating(viewport(of: around).map(to: SIMD2(width, height), natural: SIMD2(width, height)))
        }
        map = map.concatenating(AffineTransform(tx: place, ty: top))
      default:
        if boxTraits[tree.styles[around.index].box.index].display == .none { return nil }
        let given = attribute("transform", of: around)
        let styled = SVGTransforms(tree: tree).transform(
          of: around, attribute: given, origin: attribute("transform-origin", of: around))
        if let functions = styled ?? given { map = map.concatenating(SVGTransforms.map(functions)) }
      }
      around = node.parent
    }
    return map
  }
}

extension SVGTransforms {
  /// The map of a list of functions as the attribute `transform` has it (CSS Transforms 1, section 8): the last is done
  /// first.
  static func map(_ functions: String) -> AffineTransform {
    var map = AffineTransform()
    for function in functions.split(separator: ")") {
      let parts = function.split(separator: "(", maxSplits: 1)
      guard parts.count == 2 else { break }
      let name = parts[0].filter { !$0.isWhitespace && $0 != "," }
      map = (AffineTransform(function: name, numbers(String(parts[1]))) ?? .identity).concatenating(map)
    }
    return map
  }
}

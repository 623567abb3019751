package import CSS
import Markup
package import Primitives
package import Styling

/// A `<mask>` of the document as a drawing (CSS Masking 1, section 7.1): what it leaves is opaque white.
package struct MaskDrawing {
  /// The drawing, without what it refers to as pictures; `nil` where the element stands in no drawing.
  ///
  /// - Parameters:
  ///   - size: Of the reference box, in CSS px; its corner is the origin of user space.
  ///   - reach: The distance around the box that the drawing covers as well.
  package static func drawing(
    of mask: NodeID, in tree: StyledTree, size: Size, reach: LayoutUnit, mode: MaskMode
  ) -> InlineSVG? {
    let document = tree.document
    var root = NodeID.none
    var around = mask
    while !around.isNone {
      if document.isElement(around, .svg, in: .svg) { root = around }
      around = document.nodes[around.index].parent
    }
    guard !root.isNone, let id = document.drawingAttribute("id", of: mask) else { return nil }
    var serializer = SVGSerializer(tree: tree)
    switch mode {
    case .matchSource: break
    case .alpha: serializer.furtherDeclarations[mask] = "mask-type:alpha"
    case .luminance: serializer.furtherDeclarations[mask] = "mask-type:luminance"
    }
    // A box whose edges the mask does not refer to is masked beyond them as well.
    let isOfUserSpace =
      document.drawingAttribute("maskUnits", of: mask) == "userSpaceOnUse"
      && document.drawingAttribute("maskContentUnits", of: mask) != "objectBoundingBox"
    let margin = reach.pixels
    let (width, height) = (size.width.pixels, size.height.pixels)
    let extent = "width=\"\(width + 2 * margin)\" height=\"\(height + 2 * margin)\""
    var markup = Array(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" \(extent) viewBox=\"\(-margin) \(-margin) \(width + 2 * margin)"
        + " \(height + 2 * margin)\"><defs>").utf8)
    var paths: [GlyphPaths] = []
    markup += serializer.markup(of: root, color: .black, paths: &paths)
    let area =
      isOfUserSpace ? "x=\"\(-margin)\" y=\"\(-margin)\" \(extent)" : "width=\"\(width)\" height=\"\(height)\""
    markup += "</defs><rect \(area) fill=\"white\" mask=\"url(#".utf8
    XMLEscaping.append(Array(id.utf8)[...], to: &markup)
    markup += ")\"/></svg>".utf8
    return InlineSVG(markup: markup)
  }
}

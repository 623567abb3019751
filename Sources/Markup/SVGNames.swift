import Primitives

/// Names of SVG that have capitals, by their lower case (HTML, section 13.2.6.5).
enum SVGNames {
  /// The atoms of the names by those of their lower case.
  static func corrected(in atoms: inout AtomTable) -> [Atom: Atom] {
    let names = """
      altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix \
      feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow \
      feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset \
      fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient \
      radialGradient textPath attributeName attributeType baseFrequency baseProfile calcMode \
      clipPathUnits diffuseConstant edgeMode filterUnits gradientTransform gradientUnits kernelMatrix \
      kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits \
      markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform \
      patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY \
      repeatCount repeatDur requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod \
      startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength \
      viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
      """
    var table: [Atom: Atom] = [:]
    for name in names.utf8.split(separator: UInt8(ascii: " ")) {
      let name = String(Substring(name))
      table[atoms.intern(name.lowercased())] = atoms.intern(name)
    }
    return table
  }
}

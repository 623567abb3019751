/// Inherited properties that only drawings know (SVG 2, sections 11 and 13). The engine hands them on as they are written;
/// until then they cascade as custom properties do.
package enum DrawingProperty {
  package static let names: Set<String> = [
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "paint-order", "clip-rule", "color-interpolation",
    "marker-start", "marker-mid", "marker-end", "text-anchor", "dominant-baseline", "mask-type",
  ]
}

import CCairo
import Cairo
import Graphics
import Primitives

extension ColorPainter {
  /// Draws what the layer shows inside a shape over itself, filtered.
  mutating func filterBackdrop(_ rect: Rect, _ radii: CornerRadii, _ filters: [PixelFilter], opacity: Float) {
    // Pixels around the shape are blurred into it.
    let bounds = deviceBounds(rect, filters).intersection(layer.bounds)
    guard !bounds.isEmpty, !clip.isEmpty, layers.count < 12 else { return }
    let cost = bounds.width * bounds.height * (1 + filters.reduce(0) { $0 + $1.cost })
    guard cost <= layerBudget else { return }
    layerBudget -= cost
    layer.flush()
    let backdrop = Layer(bounds: bounds)
    for y in bounds.top..<bounds.bottom {
      let row = unsafe backdrop.target.pixels + (y * backdrop.target.width + bounds.left)
      unsafe row.update(from: layer.target.pixels + (y * layer.target.width + bounds.left), count: bounds.width)
    }
    run(filters, on: backdrop)
    cairo.save()
    withShapes { canvas in
      canvas.addRoundedRect(rect, radii)
      canvas.cairo.clip()
    }
    put(backdrop, LayerStyle(opacity: opacity))
    cairo.restore()
    cairo.setSource(0, 0, 0, 1)
  }
}

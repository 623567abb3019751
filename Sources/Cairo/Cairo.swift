package import CCairo

/// The calls of a cairo context that the renderer uses, under cairo's names.
///
/// A context is never nil: where cairo is not installed its functions look at nothing, and one in error ignores its
/// calls. Whoever made it keeps it alive as long as values of it are used.
@safe package struct CairoContext {
  package let pointer: OpaquePointer

  package init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  /// Stands for a context where cairo is not installed.
  package static var absent: CairoContext { unsafe CairoContext(OpaquePointer(bitPattern: 16)!) }

  package static let identity = cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)

  package func destroy() { unsafe cairo_destroy(pointer) }

  // MARK: State

  package func save() { unsafe cairo_save(pointer) }
  package func restore() { unsafe cairo_restore(pointer) }
  package func pushGroup() { unsafe cairo_push_group(pointer) }
  package func popGroupToSource() { unsafe cairo_pop_group_to_source(pointer) }
  package func setOperator(_ mode: cairo_operator_t) { unsafe cairo_set_operator(pointer, mode) }
  package func setFillRule(_ rule: cairo_fill_rule_t) { unsafe cairo_set_fill_rule(pointer, rule) }
  package func setLineWidth(_ width: Double) { unsafe cairo_set_line_width(pointer, width) }
  package func setLineCap(_ cap: cairo_line_cap_t) { unsafe cairo_set_line_cap(pointer, cap) }
  package func setLineJoin(_ join: cairo_line_join_t) { unsafe cairo_set_line_join(pointer, join) }
  package func setMiterLimit(_ limit: Double) { unsafe cairo_set_miter_limit(pointer, limit) }
  /// Dashes and gaps by turns; solid lines where there are none.
  package func setDash(_ dashes: [Double], offset: Double = 0) {
    unsafe cairo_set_dash(pointer, dashes, Int32(dashes.count), offset)
  }

  // MARK: Transformations

  package func setMatrix(_ matrix: cairo_matrix_t) {
    var matrix = matrix
    unsafe cairo_set_matrix(pointer, &matrix)
  }
  package func transform(_ matrix: cairo_matrix_t) {
    var matrix = matrix
    unsafe cairo_transform(pointer, &matrix)
  }
  package func translate(_ x: Double, _ y: Double) { unsafe cairo_translate(pointer, x, y) }
  package func scale(_ x: Double, _ y: Double) { unsafe cairo_scale(pointer, x, y) }

  // MARK: Paths

  package func newPath() { unsafe cairo_new_path(pointer) }
  package func newSubPath() { unsafe cairo_new_sub_path(pointer) }
  package func closePath() { unsafe cairo_close_path(pointer) }
  package func moveTo(_ x: Double, _ y: Double) { unsafe cairo_move_to(pointer, x, y) }
  package func lineTo(_ x: Double, _ y: Double) { unsafe cairo_line_to(pointer, x, y) }
  package func curveTo(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x3: Double, _ y3: Double) {
    unsafe cairo_curve_to(pointer, x1, y1, x2, y2, x3, y3)
  }
  package func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    unsafe cairo_rectangle(pointer, x, y, width, height)
  }
  package var currentPoint: (x: Double, y: Double) {
    var (x, y) = (0.0, 0.0)
    unsafe cairo_get_current_point(pointer, &x, &y)
    return (x, y)
  }

  // MARK: Clips

  package func clip() { unsafe cairo_clip(pointer) }
  package func resetClip() { unsafe cairo_reset_clip(pointer) }
  package var clipExtents: (left: Double, top: Double, right: Double, bottom: Double) {
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    unsafe cairo_clip_extents(pointer, &left, &top, &right, &bottom)
    return (left, top, right, bottom)
  }

  // MARK: Drawing

  package func setSource(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
    unsafe cairo_set_source_rgba(pointer, red, green, blue, alpha)
  }
  package func setSource(_ pattern: CairoPattern) { unsafe cairo_set_source(pointer, pattern.pointer) }
  package func setSource(_ surface: CairoSurface, _ x: Double, _ y: Double) {
    unsafe cairo_set_source_surface(pointer, surface.pointer, x, y)
  }
  /// How the pixels of a surface that is the source are found: by a good filter, and repeated beyond its edges.
  package func extendSource() {
    let pattern = unsafe cairo_get_source(pointer)
    unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
    unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
  }
  package func fill() { unsafe cairo_fill(pointer) }
  package func stroke() { unsafe cairo_stroke(pointer) }
  package func paint() { unsafe cairo_paint(pointer) }
  package func paint(alpha: Double) { unsafe cairo_paint_with_alpha(pointer, alpha) }
  package func mask(_ surface: CairoSurface, _ x: Double, _ y: Double) {
    unsafe cairo_mask_surface(pointer, surface.pointer, x, y)
  }
}

/// What is drawn on.
@safe package final class CairoSurface {
  package let pointer: OpaquePointer

  /// Takes over what cairo has made; nil where it has made nothing.
  package init?(_ made: OpaquePointer?) {
    guard let made = unsafe made else { return nil }
    unsafe pointer = unsafe made
  }

  deinit { unsafe cairo_surface_destroy(pointer) }

  /// An image with memory of its own.
  package static func image(_ format: cairo_format_t, width: Int, height: Int) -> CairoSurface? {
    unsafe CairoSurface(cairo_image_surface_create(format, Int32(width), Int32(height)))
  }

  /// An image over memory that has to outlive it.
  @unsafe package static func image(
    over memory: UnsafeMutablePointer<UInt8>?, _ format: cairo_format_t, width: Int, height: Int, stride: Int
  ) -> CairoSurface? {
    unsafe CairoSurface(
      cairo_image_surface_create_for_data(memory, format, Int32(width), Int32(height), Int32(stride)))
  }

  package var memory: UnsafeMutablePointer<UInt8>? { unsafe cairo_image_surface_get_data(pointer) }
  package var stride: Int { unsafe Int(cairo_image_surface_get_stride(pointer)) }

  package func setDeviceOffset(_ x: Double, _ y: Double) { unsafe cairo_surface_set_device_offset(pointer, x, y) }
  /// Ends what is being drawn, before the memory is read.
  package func flush() { unsafe cairo_surface_flush(pointer) }
  /// The memory has been written to.
  package func markDirty() { unsafe cairo_surface_mark_dirty(pointer) }
  /// Lets go of the memory.
  package func finish() { unsafe cairo_surface_finish(pointer) }

  /// A context, which the caller destroys; nil where there can be none.
  package func makeContext() -> CairoContext? {
    guard let made = unsafe cairo_create(pointer) else { return nil }
    return unsafe CairoContext(made)
  }

  /// Draws with a context of its own.
  package func draw(_ body: (CairoContext) -> Void) {
    guard let context = makeContext() else { return }
    body(context)
    context.destroy()
  }
}

/// A gradient, a mesh or a surface that is drawn with.
@safe package final class CairoPattern {
  package let pointer: OpaquePointer

  /// Takes over what cairo has made; nil where it has made nothing.
  package init?(_ made: OpaquePointer?) {
    guard let made = unsafe made else { return nil }
    unsafe pointer = unsafe made
  }

  deinit { unsafe cairo_pattern_destroy(pointer) }

  package static func linear(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> CairoPattern? {
    unsafe CairoPattern(cairo_pattern_create_linear(x0, y0, x1, y1))
  }
  package static func radial(
    _ x0: Double, _ y0: Double, _ radius0: Double, _ x1: Double, _ y1: Double, _ radius1: Double
  ) -> CairoPattern? {
    unsafe CairoPattern(cairo_pattern_create_radial(x0, y0, radius0, x1, y1, radius1))
  }
  package static func surface(_ surface: CairoSurface) -> CairoPattern? {
    unsafe CairoPattern(cairo_pattern_create_for_surface(surface.pointer))
  }
  package static func mesh() -> CairoPattern? { unsafe CairoPattern(cairo_pattern_create_mesh()) }

  package func setMatrix(_ matrix: cairo_matrix_t) {
    var matrix = matrix
    unsafe cairo_pattern_set_matrix(pointer, &matrix)
  }
  package func setExtend(_ extend: cairo_extend_t) { unsafe cairo_pattern_set_extend(pointer, extend) }
  package func setFilter(_ filter: cairo_filter_t) { unsafe cairo_pattern_set_filter(pointer, filter) }
  package func addColorStop(_ offset: Double, _ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
    unsafe cairo_pattern_add_color_stop_rgba(pointer, offset, red, green, blue, alpha)
  }

  /// Adds a patch of a mesh with three straight sides from and to a corner, and the colours of its corners.
  package func addPatch(_ corners: [(x: Double, y: Double)], colors: [(Double, Double, Double, Double)]) {
    unsafe cairo_mesh_pattern_begin_patch(pointer)
    for (index, corner) in corners.enumerated() {
      if index == 0 {
        unsafe cairo_mesh_pattern_move_to(pointer, corner.x, corner.y)
      } else {
        unsafe cairo_mesh_pattern_line_to(pointer, corner.x, corner.y)
      }
    }
    for (index, color) in colors.enumerated() {
      unsafe cairo_mesh_pattern_set_corner_color_rgba(pointer, UInt32(index), color.0, color.1, color.2, color.3)
    }
    unsafe cairo_mesh_pattern_end_patch(pointer)
  }
}

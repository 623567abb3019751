import CHarfBuzz
import Primitives

/// A font of a file as HarfBuzz reads its tables. Immutable, hence shared between threads.
@safe package final class HarfBuzzFace: @unchecked Sendable {
  package let pointer: OpaquePointer

  init?(_ blob: HarfBuzzBlob, index: Int) {
    guard let face = unsafe hb_face_create(blob.pointer, UInt32(clamping: index)) else { return nil }
    unsafe pointer = unsafe face
    unsafe hb_face_make_immutable(face)
  }

  deinit { unsafe hb_face_destroy(pointer) }

  /// The number of fonts in a file.
  static func count(in blob: HarfBuzzBlob) -> Int { unsafe Int(hb_face_count(blob.pointer)) }

  var glyphCount: Int { unsafe Int(hb_face_get_glyph_count(pointer)) }
  var unitsPerEm: Int32 { unsafe Int32(hb_face_get_upem(pointer)) }

  // MARK: Tables

  package func table(_ tag: UInt32) -> HarfBuzzBlob { unsafe HarfBuzzBlob(table: tag, of: pointer) }
  func table(_ name: String) -> HarfBuzzBlob { table(UInt32(tag: name)) }

  /// An entry of the name table in English, or in any language when there is none.
  func name(_ id: UInt32) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    var size = UInt32(buffer.count)
    let english = unsafe hb_language_from_string("en", -1)
    let length = unsafe hb_ot_name_get_utf8(pointer, hb_ot_name_id_t(id), english, &size, &buffer)
    guard length > 0 else { return nil }
    return String(decoding: buffer[..<Int(size)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The characters that the face has glyphs for.
  var characters: [UInt32] {
    let set = HarfBuzzSet()
    unsafe hb_face_collect_unicodes(pointer, set.pointer)
    return set.elements
  }

  /// Glyphs may be pictures, or layers with colours of their own.
  var hasPicturesOrLayers: Bool { unsafe hb_ot_color_has_png(pointer) != 0 || hb_ot_color_has_layers(pointer) != 0 }

  var paletteCount: Int { unsafe Int(hb_ot_color_palette_get_count(pointer)) }

  /// The first palette with a flag; 0 where none has it.
  func palette(with flag: hb_ot_color_palette_flags_t) -> Int {
    (0..<paletteCount).first {
      unsafe hb_ot_color_palette_get_flags(pointer, UInt32($0)).rawValue & flag.rawValue != 0
    } ?? 0
  }

  var hasMathTable: Bool { unsafe hb_ot_math_has_data(pointer) != 0 }

  // MARK: Axes

  /// The axes of a variable font (OpenType `fvar`).
  var axes: [hb_ot_var_axis_info_t] {
    var count = unsafe hb_ot_var_get_axis_count(pointer)
    guard count > 0, count <= 64 else { return [] }
    var axes = [hb_ot_var_axis_info_t](repeating: hb_ot_var_axis_info_t(), count: Int(count))
    unsafe hb_ot_var_get_axis_infos(pointer, 0, &count, &axes)
    return Array(axes.prefix(Int(count)))
  }

  var instanceCount: Int { unsafe Int(hb_ot_var_get_named_instance_count(pointer)) }

  /// The place of a named instance, numbered from 0, on so many axes.
  func coordinates(ofInstance instance: Int, axisCount: Int) -> [Float] {
    var count = UInt32(axisCount)
    var coordinates = [Float](repeating: 0, count: axisCount)
    _ = unsafe hb_ot_var_named_instance_get_design_coords(pointer, UInt32(instance), &count, &coordinates)
    return coordinates
  }

  /// The identifier of a named instance's PostScript name.
  func postScriptNameID(ofInstance instance: Int) -> UInt32 {
    unsafe UInt32(hb_ot_var_named_instance_get_postscript_name_id(pointer, UInt32(instance)))
  }

  // MARK: Layout tables

  /// The tags of a layout table's features.
  package func featureTags(in table: UInt32) -> [UInt32] {
    var count = unsafe hb_ot_layout_table_get_feature_tags(pointer, table, 0, nil, nil)
    var tags = [UInt32](repeating: 0, count: Int(count))
    unsafe hb_ot_layout_table_get_feature_tags(pointer, table, 0, &count, &tags)
    return tags
  }

  /// The lookups of some features in any script and language.
  package func lookups(of features: [UInt32], in table: UInt32) -> [UInt32] {
    let lookups = HarfBuzzSet()
    unsafe hb_ot_layout_collect_lookups(pointer, table, nil, nil, features + [0], lookups.pointer)
    return lookups.elements
  }

  /// Adds the glyphs that a lookup may make.
  package func collectOutput(of lookup: UInt32, in table: UInt32, into output: borrowing HarfBuzzSet) {
    unsafe hb_ot_layout_lookup_collect_glyphs(pointer, table, lookup, nil, nil, nil, output.pointer)
  }

  /// Adds all glyphs that substitutions make of those in a set.
  package func close(_ glyphs: borrowing HarfBuzzSet, under lookups: borrowing HarfBuzzSet) {
    unsafe hb_ot_layout_lookups_substitute_closure(pointer, lookups.pointer, glyphs.pointer)
  }

  /// The glyph is of the class of marks.
  package func isMark(_ glyph: UInt32) -> Bool {
    unsafe hb_ot_layout_get_glyph_class(pointer, glyph) == HB_OT_LAYOUT_GLYPH_CLASS_MARK
  }

  /// The glyphs of the class of marks.
  package var marks: HarfBuzzSet {
    let marks = HarfBuzzSet()
    unsafe hb_ot_layout_get_glyphs_in_class(pointer, HB_OT_LAYOUT_GLYPH_CLASS_MARK, marks.pointer)
    return marks
  }
}

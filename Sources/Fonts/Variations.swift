import CHarfBuzz
import Primitives

/// The axes of a variable font (OpenType `fvar`).
enum Variations {
  /// Sets the axes named in `settings`, clamped to their ranges. Later settings win.
  ///
  /// - Returns: The design coordinates of all axes in order; empty when the face has no axes.
  static func apply(_ settings: [FontSetting], to font: OpaquePointer, of face: OpaquePointer) -> [Float] {
    let axes = unsafe Self.axes(of: face)
    guard !axes.isEmpty else { return [] }
    var coordinates = axes.map(\.default_value)
    for setting in settings {
      for (index, axis) in axes.enumerated() where axis.tag == setting.tag && setting.value.isFinite {
        coordinates[index] = Swift.max(axis.min_value, Swift.min(axis.max_value, setting.value))
      }
    }
    unsafe hb_font_set_var_coords_design(font, coordinates, UInt32(coordinates.count))
    return coordinates
  }

  /// Design coordinates in the order of the axes as settings by their tags.
  static func settings(_ coordinates: [Float], of file: FontFile, index: Int) -> [FontSetting] {
    guard !coordinates.isEmpty, let face = unsafe hb_face_create(file.blob, UInt32(clamping: index)) else { return [] }
    defer { unsafe hb_face_destroy(face) }
    return unsafe zip(axes(of: face), coordinates).map { FontSetting(tag: $0.tag, value: $1) }
  }

  /// The range of an axis of a font; nil when it has no such axis.
  static func axis(_ tag: String, of file: FontFile, index: Int) -> ClosedRange<Float>? {
    guard let face = unsafe hb_face_create(file.blob, UInt32(clamping: index)) else { return nil }
    defer { unsafe hb_face_destroy(face) }
    guard let axis = unsafe axes(of: face).first(where: { $0.tag == SfntDirectory.tag(tag) }),
      axis.min_value <= axis.max_value
    else { return nil }
    return axis.min_value...axis.max_value
  }

  /// The angles that a font with an axis for slants can lean to the right by; the axis counts against the clock.
  static func slantAngles(of file: FontFile, index: Int) -> ClosedRange<Float>? {
    axis("slnt", of: file, index: index).map { -$0.upperBound ... -$0.lowerBound }
  }

  /// The weights that a font with an axis for them has.
  static func weights(of file: FontFile, index: Int) -> ClosedRange<UInt16>? {
    axis("wght", of: file, index: index).map {
      UInt16(Swift.max(1, Swift.min(1000, $0.lowerBound)))...UInt16(Swift.max(1, Swift.min(1000, $0.upperBound)))
    }
  }

  /// The settings of a named instance, numbered from 1 (OpenType `fvar`).
  static func settings(ofInstance instance: Int, of file: FontFile, index: Int) -> [FontSetting] {
    guard let face = unsafe hb_face_create(file.blob, UInt32(clamping: index)) else { return [] }
    defer { unsafe hb_face_destroy(face) }
    let axes = unsafe axes(of: face)
    var count = UInt32(axes.count)
    guard count > 0, instance > 0, unsafe instance <= Int(hb_ot_var_get_named_instance_count(face)) else { return [] }
    var coordinates = [Float](repeating: 0, count: axes.count)
    _ = unsafe hb_ot_var_named_instance_get_design_coords(face, UInt32(instance - 1), &count, &coordinates)
    return zip(axes, coordinates).map { FontSetting(tag: $0.tag, value: $1) }
  }

  /// The PostScript name that `fvar` gives a named instance, numbered from 1.
  static func postScriptName(ofInstance instance: Int, of file: FontFile, index: Int) -> String? {
    guard let face = unsafe hb_face_create(file.blob, UInt32(clamping: index)) else { return nil }
    defer { unsafe hb_face_destroy(face) }
    guard instance > 0, unsafe instance <= Int(hb_ot_var_get_named_instance_count(face)) else { return nil }
    let id = unsafe hb_ot_var_named_instance_get_postscript_name_id(face, UInt32(instance - 1))
    // An instance without a name of its own has the identifier 0xFFFF (OpenType, `fvar`).
    return unsafe id == 0xFFFF || id == 0 ? nil : FontFace.name(of: face, id: id)
  }

  static func axes(of face: OpaquePointer) -> [hb_ot_var_axis_info_t] {
    var count = unsafe hb_ot_var_get_axis_count(face)
    guard count > 0, count <= 64 else { return [] }
    var axes = [hb_ot_var_axis_info_t](repeating: hb_ot_var_axis_info_t(), count: Int(count))
    unsafe hb_ot_var_get_axis_infos(face, 0, &count, &axes)
    return Array(axes.prefix(Int(count)))
  }
}

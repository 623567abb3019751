import CHarfBuzz
import Primitives

/// The axes of a variable font (OpenType `fvar`).
enum Variations {
  /// The place that settings give on the axes of a face, clamped to their ranges. Later settings win.
  ///
  /// - Returns: The design coordinates of all axes in order; empty when the face has no axes.
  static func coordinates(_ settings: [FontSetting], on face: HarfBuzzFace) -> [Float] {
    let axes = face.axes
    var coordinates = axes.map(\.default_value)
    for setting in settings {
      for (index, axis) in axes.enumerated() where axis.tag == setting.tag && setting.value.isFinite {
        coordinates[index] = Swift.max(axis.min_value, Swift.min(axis.max_value, setting.value))
      }
    }
    return coordinates
  }

  /// Design coordinates in the order of the axes as settings by their tags.
  static func settings(_ coordinates: [Float], of file: FontFile, index: Int) -> [FontSetting] {
    guard !coordinates.isEmpty, let face = HarfBuzzFace(file.blob, index: index) else { return [] }
    return zip(face.axes, coordinates).map { FontSetting(tag: $0.tag, value: $1) }
  }

  /// The range of an axis of a font; nil when it has no such axis.
  static func axis(_ tag: String, of file: FontFile, index: Int) -> ClosedRange<Float>? {
    guard let face = HarfBuzzFace(file.blob, index: index),
      let axis = face.axes.first(where: { $0.tag == UInt32(tag: tag) }), axis.min_value <= axis.max_value
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
    guard let face = HarfBuzzFace(file.blob, index: index) else { return [] }
    let axes = face.axes
    guard !axes.isEmpty, instance > 0, instance <= face.instanceCount else { return [] }
    let coordinates = face.coordinates(ofInstance: instance - 1, axisCount: axes.count)
    return zip(axes, coordinates).map { FontSetting(tag: $0.tag, value: $1) }
  }

  /// The PostScript name that `fvar` gives a named instance, numbered from 1.
  static func postScriptName(ofInstance instance: Int, of file: FontFile, index: Int) -> String? {
    guard let face = HarfBuzzFace(file.blob, index: index), instance > 0, instance <= face.instanceCount else {
      return nil
    }
    let id = face.postScriptNameID(ofInstance: instance - 1)
    // An instance without a name of its own has the identifier 0xFFFF (OpenType, `fvar`).
    return id == 0xFFFF || id == 0 ? nil : face.name(id)
  }
}

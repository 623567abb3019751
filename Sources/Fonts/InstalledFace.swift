import Primitives

/// An installed face, described by the index without opening its file.
struct InstalledFace: Sendable {
  private let index: FontIndex
  /// The face's place in the order of path and index.
  let position: Int
  let weight: ClosedRange<UInt16>
  var slant: FontSlant
  /// Degrees that the face can lean to the right, where it is oblique.
  var angles = FontDescription.defaultObliqueAngle...FontDescription.defaultObliqueAngle
  let stretch: ClosedRange<Float>
  private let flags: FontIndex.FaceFlags

  init(_ position: Int, of index: FontIndex) {
    self.index = index
    self.position = position
    let weights = index.field(.weights, of: position)
    let low = UInt16(truncatingIfNeeded: weights)
    weight = low...Swift.max(low, UInt16(truncatingIfNeeded: weights >> 16))
    slant =
      switch index.field(.slant, of: position) {
      case 0: .normal
      case 1: .italic
      default: .oblique
      }
    let narrowest = Float(bitPattern: UInt32(truncatingIfNeeded: index.field(.narrowest, of: position)))
    let widest = Float(bitPattern: UInt32(truncatingIfNeeded: index.field(.widest, of: position)))
    stretch = narrowest <= widest ? narrowest...widest : 100...100
    flags = FontIndex.FaceFlags(rawValue: UInt32(truncatingIfNeeded: index.field(.flags, of: position)))
  }

  var path: String { index.text(.faces, position, FontIndex.FaceField.path.rawValue) }
  var faceIndex: Int { index.field(.faceIndex, of: position) }
  /// The family in the file's first language, for display.
  var familyName: String { index.text(.faces, position, FontIndex.FaceField.familyName.rawValue) }
  /// The same, folded.
  var family: String { index.text(.faces, position, FontIndex.FaceField.firstFamily.rawValue) }
  var styleName: String { index.text(.faces, position, FontIndex.FaceField.styleName.rawValue) }
  var isVariable: Bool { flags.contains(.variable) }
  var isColor: Bool { flags.contains(.color) }
  var isCJK: Bool { flags.contains(.cjk) }

  func covers(_ scalar: UInt32) -> Bool { index.covers(scalar, position: position) }
}

/// A named instance of a variable font, which `local()` can name.
struct NamedInstance: Sendable {
  var path: String
  var faceIndex: Int
  /// From 1.
  var number: Int
}

import Fonts
import Primitives
import Text

/// The store that shapers of the same fonts share, chapter after chapter: faces by number, what is known of sets of
/// shaping attributes, and the shapes of words. Belongs to one thread; what is in it saves time and never changes a
/// shape.
final class ShapeStore {
  let fonts: FontBook
  var faces: [ShapingFace] = []
  /// Positions in `faces` by font id; -1 for those that are not there.
  private var facePositions: [Int] = []
  private var keys: [ShapeKey: UInt32] = [:]
  /// By key.
  private var tables: [StyleTables] = []
  let words = ShapeCache(clusterLimit: 1 << 17)
  /// The shapes of short items that are no words between spaces.
  var items: ShapeCache {
    if let madeItems { return madeItems }
    let made = ShapeCache(clusterLimit: 1 << 15)
    madeItems = made
    return made
  }
  private var madeItems: ShapeCache?
  private var breakLanguages: [String: LineBreakLanguage] = [:]

  init(fonts: FontBook) { self.fonts = fonts }

  /// Bytes allocated, about.
  var byteCount: Int {
    words.byteCount + (madeItems?.byteCount ?? 0) + tables.reduce(0) { $0 + $1.byteCount }
  }

  /// The position in `faces` of a face, which is added when it is new.
  func position(of face: FontFace) -> Int {
    let id = face.id.index
    if id < facePositions.count, facePositions[id] >= 0 { return facePositions[id] }
    while facePositions.count <= id { facePositions.append(-1) }
    facePositions[id] = faces.count
    faces.append(ShapingFace(face))
    return faces.count - 1
  }

  /// The line breaking rules of a language, by its tag.
  func breakLanguage(_ tag: String) -> LineBreakLanguage {
    if let known = breakLanguages[tag] { return known }
    let made = LineBreakLanguage(tag: tag)
    breakLanguages[tag] = made
    return made
  }

  /// The number of a key, and what styles with that key share.
  func entry(for key: ShapeKey) -> (number: UInt32, tables: StyleTables) {
    if let known = keys[key] { return (known, tables[Int(known)]) }
    let number = UInt32(keys.count)
    keys[key] = number
    tables.append(StyleTables(language: key.language))
    return (number, tables[Int(number)])
  }
}

import CFontconfig

/// A pattern of fontconfig: the properties of a face, or those that are asked for. Used as long as the set or query
/// that it is of.
@safe struct FontPattern {
  let pointer: OpaquePointer

  @unsafe fileprivate init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  /// The patterns of a set, which has to be kept while they are used.
  @unsafe static func all(in set: UnsafeMutablePointer<FcFontSet>?) -> [FontPattern] {
    guard let set = unsafe set?.pointee else { return [] }
    return unsafe (0..<Int(set.nfont)).compactMap { unsafe set.fonts[$0].map { unsafe FontPattern($0) } }
  }

  func string(_ name: String, _ index: Int = 0) -> String? {
    var text: UnsafeMutablePointer<FcChar8>?
    guard unsafe FcPatternGetString(pointer, name, Int32(index), &text) == FcResultMatch, let text = unsafe text else {
      return nil
    }
    return unsafe String(cString: text)
  }

  func strings(_ name: String) -> [String] {
    var result: [String] = []
    while let text = string(name, result.count) { result.append(text) }
    return result
  }

  /// The strings that are not bound weakly, of the first 64.
  func boundStrings(_ name: String) -> [String] {
    var result: [String] = []
    var index: Int32 = 0
    var value = unsafe FcValue()
    var binding = FcValueBindingWeak
    while index < 64, unsafe FcPatternGetWithBinding(pointer, name, index, &value, &binding) == FcResultMatch {
      if binding != FcValueBindingWeak, unsafe value.type == FcTypeString, let text = unsafe value.u.s {
        unsafe result.append(String(cString: text))
      }
      index += 1
    }
    return result
  }

  func integer(_ name: String) -> Int? {
    var value: Int32 = 0
    return unsafe FcPatternGetInteger(pointer, name, 0, &value) == FcResultMatch ? Int(value) : nil
  }

  func boolean(_ name: String) -> Bool {
    var value: FcBool = 0
    return unsafe FcPatternGetBool(pointer, name, 0, &value) == FcResultMatch && value != 0
  }

  func range(_ name: String) -> ClosedRange<Double>? {
    var value = 0.0
    if unsafe FcPatternGetDouble(pointer, name, 0, &value) == FcResultMatch { return value...value }
    var range: OpaquePointer?
    var low = 0.0
    var high = 0.0
    guard unsafe FcPatternGetRange(pointer, name, 0, &range) == FcResultMatch, let range = unsafe range,
      unsafe FcRangeGetDouble(range, &low, &high) != 0, low <= high
    else { return nil }
    return low...high
  }

  /// The characters of a face.
  var coverage: ListedFace.Coverage {
    var coverage = ListedFace.Coverage()
    var characters: OpaquePointer?
    guard unsafe FcPatternGetCharSet(pointer, FC_CHARSET, 0, &characters) == FcResultMatch,
      let characters = unsafe characters
    else {
      return coverage
    }
    var bits = [UInt32](repeating: 0, count: 8)
    var next: UInt32 = 0
    var first = unsafe FcCharSetFirstPage(characters, &bits, &next)
    // fontconfig's end: all bits set.
    while first != .max {
      coverage.pages.append(ListedFace.Coverage.Page(number: first >> 8, bits: bits))
      first = unsafe FcCharSetNextPage(characters, &bits, &next)
    }
    return coverage
  }
}

/// A pattern that fontconfig is asked with.
final class FontQuery {
  let pattern: FontPattern

  init?() {
    guard let pattern = unsafe FcPatternCreate() else { return nil }
    unsafe self.pattern = FontPattern(pattern)
  }

  deinit { unsafe FcPatternDestroy(pattern.pointer) }

  func add(_ name: String, _ value: String) { unsafe FcPatternAddString(pattern.pointer, name, value) }
  func demandOutlines() { unsafe FcPatternAddBool(pattern.pointer, FC_SCALABLE, 1) }
}

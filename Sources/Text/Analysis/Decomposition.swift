import CUnicode

/// Normalization forms NFD and NFKD (UAX #15) of single characters.
package enum Decomposition {
  /// UTF-16 units of the longest decomposition.
  private static let longest = 20

  /// The decomposition of the units of one character; the units where they have none.
  ///
  /// - Parameter isCompatible: `true` if compatibility mappings count (NFKD).
  package static func decomposed(_ units: [UInt16], isCompatible: Bool) -> [UInt16] {
    var result = [UInt16](repeating: 0, count: longest)
    let count = unsafe Int(cu_decompose(isCompatible ? 1 : 0, units, Int32(units.count), &result, Int32(result.count)))
    return count < 0 || count > result.count ? units : Array(result[..<count])
  }
}

import BoxGeneration
import Primitives
import Shaping
import Text

/// Emergency breaks, the places where a word is broken that no line can hold: behind a separator of a path or an
/// address before anywhere else, not in a number if that can be helped, and not before marks that may not begin a line, unless
/// the line before has room for nothing else.
extension GreedyLineBreaker {
  /// A piece that ends behind a separator is at least such a part of the line, a quarter.
  private static let leastPiecePart: Advance = 4
  /// A longer number is broken as a word is.
  private static let longestNumber = 12

  /// The place where a word is broken that reaches over the line's end, `place` being the last grapheme boundary that fits; nil where
  /// what follows that stays on the line, and sticks out of it.
  mutating func emergencyPlace(_ place: Place, _ text: RunText) -> Place? {
    // A browser breaks such words anywhere.
    guard context.settings.deviations.shrinksWideTables, place.cluster > text.itemStart, place.cluster < text.end,
      place.trailing.width == 0
    else { return place }
    let units = units(of: text)
    let start = Swift.max(text.itemStart, lineStart.cluster)
    var cluster = place.cluster
    while cluster > start + 1 {
      if Self.isBehindSeparator(units(cluster - 1), before: units(cluster)) {
        let broken = moved(place, to: cluster, text)
        if broken.width * Self.leastPiecePart >= limit { return broken }
        break
      }
      cluster -= 1
    }
    cluster = place.cluster
    if Self.isDigit(units(cluster)), !text.breaksAnywhere {
      let number = number(around: cluster, from: start, to: text.end, units)
      if number.count <= Self.longestNumber {
        if number.lowerBound > start { return moved(place, to: number.lowerBound, text) }
        // Cells of a table that had to be squeezed have others beside them.
        if !context.mode.breaksWordsToFit, number.lowerBound < cluster { return nil }
      }
    }
    while cluster > start, Self.beginsNoLine(units(cluster)) { cluster -= 1 }
    guard cluster == start else { return moved(place, to: cluster, text) }
    // A mark or two stick out; a row of them is divided.
    var end = place.cluster
    while end < text.end, end - place.cluster <= Self.mostMarksOutside, Self.beginsNoLine(units(end)) { end += 1 }
    return context.mode.breaksWordsToFit || end - place.cluster > Self.mostMarksOutside ? place : nil
  }

  private static let mostMarksOutside = 2

  /// A mark that may begin no line comes after an emergency break.
  mutating func parts(before cluster: Int, _ text: RunText) -> Bool {
    cluster < text.end && Self.beginsNoLine(units(of: text)(cluster))
  }

  /// The word that sticks out of its line ends before the cluster at hand.
  mutating func mayEndOverflow(_ text: RunText) -> Bool {
    let units = units(of: text)
    guard context.settings.deviations.shrinksWideTables, at.cluster > text.itemStart, !text.breaksAnywhere else {
      return true
    }
    // Behind spaces the line ends anyway.
    if unsafe text.clusters[at.cluster].flags.contains(.space) || Self.beginsNoLine(units(at.cluster)) { return false }
    guard Self.isDigit(units(at.cluster)) else { return true }
    let number = number(around: at.cluster, from: text.itemStart, to: text.end, units)
    return number.lowerBound == at.cluster || number.count > Self.longestNumber
  }

  /// The first code unit of each cluster.
  private func units(of text: RunText) -> (Int) -> UInt16 {
    let base = context.tree.texts.texts[textIndex].units.lowerBound
    let units = context.tree.texts.units
    return { cluster in
      let index = unsafe base + Int(text.clusters[cluster].text)
      return index < units.count ? units[index] : 0
    }
  }

  /// The same place before an earlier cluster of the run.
  private func moved(_ place: Place, to cluster: Int, _ text: RunText) -> Place {
    guard cluster < place.cluster else { return place }
    let masks = ClusterMasks.shared
    var place = place
    for index in cluster..<place.cluster {
      let passed = unsafe text.clusters[index]
      place.width -= text.scale.advance(passed.advance)
      if passed.flags.rawValue & (masks.cursive | masks.ignorable) == 0 { place.width -= text.spacing.letter }
      if passed.flags.rawValue & masks.wordSeparator != 0 { place.width -= text.spacing.word }
    }
    place.cluster = cluster
    return place
  }

  /// The character begins no line: closing brackets, commas, points, question marks (UAX #14, LB13), small kana.
  private static func beginsNoLine(_ unit: UInt16) -> Bool {
    switch CharacterProperties(UInt32(unit)).lineBreak {
    case .cl, .cp, .ex, .is, .ns, .cj: true
    default: false
    }
  }
  private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

  /// The digits around a cluster, with the points and commas between them.
  private func number(
    around cluster: Int, from start: Int, to end: Int, _ units: (Int) -> UInt16
  ) -> Range<Int> {
    func isPart(_ place: Int) -> Bool {
      if Self.isDigit(units(place)) { return true }
      return [0x2C, 0x2E].contains(units(place)) && place > start && place + 1 < end && Self.isDigit(units(place - 1))
        && Self.isDigit(units(place + 1))
    }
    var number = cluster..<cluster
    while number.lowerBound > start, isPart(number.lowerBound - 1) {
      number = (number.lowerBound - 1)..<number.upperBound
    }
    // Digits behind a letter belong to a name or a hash.
    if number.lowerBound > start, Self.isLetter(units(number.lowerBound - 1)) { return cluster..<cluster }
    while number.upperBound < end, isPart(number.upperBound) { number = number.lowerBound..<(number.upperBound + 1) }
    return number
  }

  /// The place is behind `/`, `.`, `_`, `-`, `?`, `&`, `=` or `@`, and before a letter or digit; a point between digits
  /// is part of a number.
  private static func isBehindSeparator(_ before: UInt16, before after: UInt16) -> Bool {
    switch before {
    case 0x2F, 0x5F, 0x3F, 0x26, 0x3D, 0x40: isLetter(after) || isDigit(after)
    case 0x2D, 0x2E: isLetter(after)
    default: false
    }
  }
  private static func isLetter(_ unit: UInt16) -> Bool {
    (0x41...0x5A).contains(unit) || (0x61...0x7A).contains(unit) || (0xC0...0x52F).contains(unit)
  }
}

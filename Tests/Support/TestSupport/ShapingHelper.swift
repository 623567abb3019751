package import CSS
package import Fonts
package import Primitives
package import Shaping
package import Text

/// Builds texts and shapes them with the machine's fonts.
package final class ShapingHelper {
  package static let library = FontLibrary()

  package var store = AttributedTextStore()
  package let shaper: Shaper

  /// - Parameter provesAtOnce: `true` if words go the direct way from the first one on.
  package init(
    settings: ShapingSettings = ShapingSettings(), provesAtOnce: Bool = true, library: FontLibrary = library
  ) {
    shaper = Shaper(
      fonts: FontBook(library: library), settings: settings,
      resources: ShapingResources(provesAtOnce: provesAtOnce))
  }

  package func attributes(
    families: [FontFamily] = [.generic(.serif)], language: String = "en", letterSpacing: Float = 0,
    caps: FontVariantCaps = .normal, configure: (inout ShapingAttributes) -> Void = { _ in }
  ) -> AttributeID {
    var request = FontRequest(description: FontDescription(families: families), size: FontSize())
    request.caps = caps
    store.attributes.fonts.append(request)
    store.attributes.languages.append(language)
    var shaping = ShapingAttributes()
    shaping.font = FontRequestID(store.attributes.fonts.count - 1)
    shaping.language = LanguageID(store.attributes.languages.count - 1)
    shaping.letterSpacing = Length(letterSpacing)
    configure(&shaping)
    var attributes = TextAttributes()
    attributes.shaping = store.attributes.shaping.intern(shaping)
    return store.attributes.attributes.intern(attributes)
  }

  package func add(_ pieces: [(String, AttributeID, RunKind)], direction: TextDirection = .ltr) -> TextID {
    let start = store.units.count
    let runStart = store.runs.count
    for (text, attributes, kind) in pieces {
      store.units.append(contentsOf: text.utf16)
      store.runs.append(Run(end: UInt32(store.units.count - start), attributes: attributes, kind: kind))
    }
    let units = start..<store.units.count
    store.texts.append(
      AttributedText(
        units: units, runs: runStart..<store.runs.count, source: 0..<0, direction: direction,
        needsBidi: store.units[units].contains { Bidi.needsAlgorithm($0) },
        isSimple: store.units[units].allSatisfy { $0 < 0x250 }))
    return TextID(store.texts.count - 1)
  }

  package func shape(_ text: String, _ attributes: AttributeID, direction: TextDirection = .ltr) -> ShapedText {
    shape(add([(text, attributes, .text)], direction: direction))
  }

  package func shape(_ id: TextID, writingMode: WritingMode = .horizontalTB) -> ShapedText {
    var shaped = ShapedText()
    shaper.shape(id, in: store, writingMode: writingMode, into: &shaped)
    return shaped
  }

  /// The characters of the text added last that no font has.
  package var missing: [UInt32] {
    let id = TextID(store.texts.count - 1)
    let units = store.units[store[id].units]
    return shaper.missingCharacters(in: id, within: 0..<UInt32(units.count)).map { offset in
      String(decoding: units.dropFirst(Int(offset)).prefix(2), as: UTF16.self).unicodeScalars.first?.value ?? 0
    }
  }
}

extension ShapedText {
  /// The text offsets of clusters with a flag.
  package func offsets(_ flag: ClusterFlags) -> [Int] {
    clusters.dropLast().filter { $0.flags.contains(flag) }.map { Int($0.text) }
  }

  /// The parts fit together: ranges are contiguous, offsets ascend, advances are sums.
  package func isConsistent(units: Int) -> Bool {
    guard let last = clusters.last, Int(last.text) == units, Int(last.glyph) == glyphs.count else { return false }
    var cluster = 0
    var glyph = 0
    for run in runs {
      guard run.clusters.lowerBound == cluster, run.glyphs.lowerBound == glyph, !run.clusters.isEmpty else {
        return false
      }
      cluster = run.clusters.upperBound
      glyph = run.glyphs.upperBound
    }
    guard cluster == clusterCount, glyph == glyphs.count else { return false }
    for index in 0..<clusterCount {
      guard clusters[index].text < clusters[index + 1].text, clusters[index].glyph <= clusters[index + 1].glyph else {
        return false
      }
    }
    return clusters.dropLast().reduce(0) { $0 + Int($1.advance) } == glyphs.reduce(0) { $0 + Int($1.advance) }
  }
}

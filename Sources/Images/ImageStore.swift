import CImageCodecs
package import Drawings
package import Graphics
package import ImageCodecs
import Platform
package import Primitives
import Synchronization

/// The images of a book: probed when first named, decoded when first drawn, kept within a bound.
///
/// Ids are handed out in the order of first use and may differ from run to run when chapters race; what they name does
/// not.
package final class ImageStore: Sendable {
  private struct Entry {
    var info: ImageInfo
    var presentation = ImagePresentation()
    var data: [UInt8]
    var vector: VectorImage?
    /// The source of a vector image, where sources are kept.
    var source: [UInt8]?
    /// Where the links of a vector image begin.
    var base = ""
    /// As `PreparedDrawing` has them.
    var texts: [String] = []
    var faults: [String] = []
    /// The fonts that the text of a drawing in a file was set in; nil for all other images.
    var generation: Int?
    /// Reads the bytes again after they were dropped.
    var load: (@Sendable () -> [UInt8]?)?

    /// The encoded bytes, kept or read again; nil when they are gone.
    var bytes: [UInt8]? { data.isEmpty ? load?() : data }
  }

  private struct BitmapKey: Hashable {
    var image: UInt32
    var width: Int
    var height: Int
    /// The size in px, of a drawing that depends on it.
    var area: SIMD2<Float>?
  }

  private struct Presented: Hashable {
    var image: ImageID
    var presentation: ImagePresentation
  }

  private struct CachedBitmap {
    var bitmap: Bitmap?
    var lastUse: UInt64
  }

  private struct Markup: Hashable {
    let base: String
    let xml: [UInt8]
    let parts: [UInt8]
    let generation: Int
    /// Made once: a document may be long, and a dictionary hashes its keys again when it grows.
    private let checksum: UInt32

    init(base: String, xml: [UInt8], parts: DrawingParts?) {
      self.base = base
      self.xml = xml
      self.parts = parts?.identity ?? []
      generation = parts?.generation ?? 0
      checksum = unsafe xml.withUnsafeBufferPointer { unsafe codec_crc32(0, $0.baseAddress, $0.count) }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(base)
      hasher.combine(checksum)
    }
  }

  private struct State {
    var entries: [Entry] = []
    var byPath: [String: ImageID] = [:]
    /// Images that are the same as others, but for how they are shown.
    var presented: [Presented: ImageID] = [:]
    /// Inline documents, by where they stand and what they say.
    var byMarkup: [Markup: ImageID] = [:]
    var bitmaps: [BitmapKey: CachedBitmap] = [:]
    /// Large bitmaps that were drawn once and not kept.
    var drawnOnce: Set<BitmapKey> = []
    var bitmapBytes = 0
    var dataBytes = 0
    /// Bytes of vector images, which stay as long as the store.
    var vectorBytes = 0
    var clock: UInt64 = 0
    var diagnostics = DiagnosticSink()
    /// The number of images that cannot be drawn for want of a library.
    var undrawn: [MissingDecoder: Int] = [:]

    func image(path: String, generation: Int) -> ImageID? {
      guard let id = byPath[path] else { return nil }
      let own = entries[id.index].generation
      return own == nil || own == generation ? id : nil
    }
  }

  package typealias Resolver = DrawingPictures.Resolver
  /// Makes a drawing of `DrawingFeatures` that librsvg does not know ready for it; nil for one that is to stay as it
  /// is.
  package typealias Preparation = (_ source: [UInt8]) -> PreparedDrawing?

  private let limits: Limits
  /// Bytes of decoded pixels and of encoded data to keep.
  package let capacity: Int
  private let keepsSources: Bool
  private let profiles = ColorProfiles()
  private let state = Lock(State())

  /// - Parameters:
  ///   - capacity: Bytes of decoded pixels and of encoded data to keep.
  ///   - keepsSources: `true` if `source(of:)` is to know pictures of vectors too.
  package init(limits: Limits = Limits(), capacity: Int = 64 << 20, keepsSources: Bool = false) {
    self.limits = limits
    self.capacity = capacity
    self.keepsSources = keepsSources
  }

  /// The warnings about images, each once, and one for each library that some of them lack.
  package var diagnostics: DiagnosticSink {
    var (sink, undrawn) = state.withLock { ($0.diagnostics, $0.undrawn) }
    for (decoder, count) in undrawn.sorted(by: { $0.key.library < $1.key.library }) {
      sink.append(decoder.diagnostic(pictures: count))
    }
    return sink
  }

  /// The library for want of which the image at a path that has been named cannot be drawn.
  package func missingDecoder(ofImageAt path: String) -> MissingDecoder? {
    state.withLock { state in
      state.undrawn.isEmpty ? nil : state.byPath[path].flatMap { state.entries[$0.index].info.missingDecoder }
    }
  }

  /// The image at a path in the book. Equal paths give the same id; `load` is called at the first use, and again should
  /// its bytes have been dropped when they are drawn.
  ///
  /// - Parameters:
  ///   - generation: Of the fonts that drawings are prepared with; those prepared with others are other images.
  ///   - prepare: Called for a drawing before it is read.
  ///   - resolveReference: The bytes that a picture reference inside an SVG names, as written there; asked when it is
  ///     first drawn.
  package func image(
    path: String, load: @escaping @Sendable () -> [UInt8]?, generation: Int = 0,
    prepare: Preparation = { _ in nil }, resolveReference: @escaping Resolver = { _ in nil }
  ) -> ImageID {
    if let known = state.withLock({ $0.image(path: path, generation: generation) }) { return known }
    // Read and probed outside the lock; should two threads do so, the first to store wins.
    var entry = make(load(), path: path, prepare: prepare, resolveReference: resolveReference)
    entry.load = load
    entry.base = path
    if entry.generation != nil { entry.generation = generation }
    return state.withLock { state in
      if let known = state.image(path: path, generation: generation) { return known }
      let id = ImageID(state.entries.count)
      if let decoder = entry.info.missingDecoder {
        state.undrawn[decoder, default: 0] += 1
        entry.data = []
      } else if entry.info.isBroken {
        let code = entry.data.isEmpty ? "missing-image" : "broken-image"
        state.diagnostics.warn(code, resource: path, entry.info.problem)
        entry.data = []
      }
      for fault in entry.faults { state.diagnostics.warn("undrawn-element", resource: path, fault) }
      count(&entry, in: &state)
      keep(&entry, in: &state)
      state.entries.append(entry)
      state.byPath[path] = id
      return id
    }
  }

  /// How an image is shown that is the same as another, but for that.
  package func presentation(of id: ImageID) -> ImagePresentation {
    state.withLock { id.index < $0.entries.count ? $0.entries[id.index].presentation : ImagePresentation() }
  }

  /// The image as a style shows its pixels; the same one where that makes no difference.
  package func image(_ id: ImageID, presented presentation: ImagePresentation) -> ImageID {
    guard presentation != ImagePresentation() else { return id }
    return state.withLock { state in
      let key = Presented(image: id, presentation: presentation)
      if let known = state.presented[key] { return known }
      guard id.index < state.entries.count, state.entries[id.index].vector == nil else { return id }
      var entry = state.entries[id.index]
      let isTurned = presentation.isAsStored && !ImageDecoder.isUpright(entry.info.orientation)
      guard isTurned || presentation.isPixelated else { return id }
      if isTurned {
        if entry.info.orientation >= 5 {
          swap(&entry.info.width, &entry.info.height)
          entry.info.aspectRatio = entry.info.aspectRatio.map { 1 / $0 }
        }
        entry.info.orientation = 1
      }
      entry.presentation = ImagePresentation(isAsStored: isTurned, isPixelated: presentation.isPixelated)
      keep(&entry, in: &state)
      let presented = ImageID(state.entries.count)
      state.entries.append(entry)
      state.presented[key] = presented
      return presented
    }
  }

  /// An inline `<svg>` as a document of its own. What stands twice in the document at `base` is one image.
  ///
  /// - Parameter parts: Parts that it lacks, and that are not needed before it is drawn.
  package func addInlineSVG(
    _ xml: [UInt8], base: String = "", parts: DrawingParts? = nil,
    resolveReference: @escaping Resolver = { _ in nil }
  ) -> ImageID {
    let markup = Markup(base: base, xml: xml, parts: parts)
    if let known = state.withLock({ $0.byMarkup[markup] }) { return known }
    var entry = make(xml, path: "", parts, resolveReference: resolveReference)
    entry.base = base
    return state.withLock { state in
      if let known = state.byMarkup[markup] { return known }
      if let decoder = entry.info.missingDecoder {
        state.undrawn[decoder, default: 0] += 1
      } else if entry.info.isBroken {
        state.diagnostics.warn("broken-image", "an inline SVG cannot be drawn: \(entry.info.problem)")
      }
      count(&entry, in: &state)
      entry.data = []
      let id = ImageID(state.entries.count)
      state.entries.append(entry)
      state.byMarkup[markup] = id
      state.vectorBytes += xml.count + markup.parts.count
      return id
    }
  }

  /// Counts a picture of vectors, whose source stays and whose file goes.
  private func count(_ entry: inout Entry, in state: inout State) {
    guard entry.vector != nil else { return }
    state.vectorBytes += entry.data.count * 2 + 4096
    entry.data = []
  }

  private func make(
    _ data: [UInt8]?, path: String, _ parts: DrawingParts? = nil, prepare: Preparation = { _ in nil },
    resolveReference: @escaping Resolver
  ) -> Entry {
    var info = ImageInfo()
    guard var data else {
      info.path = path
      info.problem = "the image is not in the book"
      return Entry(info: info, data: [], vector: nil, load: nil)
    }
    if ImageProbe.isSVG(data) {
      info.kind = .svg
      info.path = path
      let prepared = !path.isEmpty && DrawingFeatures.areBeyondLibrary(data) ? prepare(data) : nil
      if let prepared { data = prepared.source }
      guard let source = SVGDocument.bounded(data) else {
        info.problem = "the text of the drawing is too large to be drawn"
        return Entry(info: info, data: data, vector: nil, load: nil)
      }
      var completion: DrawingSource.Completion?
      let complete = parts?.complete ?? prepared?.complete
      if complete != nil || SVGReferences.mayOccur(in: source) {
        let pictures = DrawingPictures(resolve: resolveReference, profiles: profiles, limits: limits)
        completion = { SVGReferences.resolve(complete?($0) ?? $0) { pictures.file($0) } }
      }
      let isInline = path.isEmpty
      guard
        let vector = VectorImage(
          isInline ? source : SVGBackground.painted(source), completion: completion, isInline: isInline)
      else {
        info.missingDecoder = MissingDecoder(for: .svg)
        info.problem = "the SVG document cannot be read"
        return Entry(info: info, data: data, vector: nil, load: nil)
      }
      info.width = vector.dimensions.width
      info.height = vector.dimensions.height
      info.aspectRatio = vector.dimensions.aspectRatio
      info.isBroken = false
      let whole = keepsSources ? completion?(source) ?? source : nil
      var entry = Entry(info: info, data: data, vector: vector, source: whole, load: nil)
      (entry.texts, entry.faults) = (prepared?.texts ?? [], prepared?.faults ?? [])
      entry.generation = prepared.map { _ in 0 }
      return entry
    }
    info = ImageProbe.probe(data, limits: limits)
    info.path = path
    return Entry(info: info, data: data, vector: nil, load: nil)
  }

  /// Keeps the encoded bytes while there is room: a picture is drawn soon after it is probed, or not for long.
  private func keep(_ entry: inout Entry, in state: inout State) {
    guard !entry.data.isEmpty else { return }
    // Encoded bytes take half of the room at the most, decoded ones what is left.
    if state.dataBytes + entry.data.count > capacity / 2 {
      for index in state.entries.indices where state.entries[index].load != nil { state.entries[index].data = [] }
      state.dataBytes = 0
      if entry.data.count > capacity / 2 {
        entry.data = []
        return
      }
    }
    state.dataBytes += entry.data.count
    makeRoom(for: 0, in: &state)
  }

  /// The memory that decoded bitmaps and encoded images take, which is bounded.
  package var cachedBytes: Int { state.withLock { $0.bitmapBytes + $0.dataBytes } }
  /// About the memory that pictures of vectors take. They stay as long as the store.
  package var vectorBytes: Int { state.withLock(\.vectorBytes) }

  /// Gives up bitmaps, the least recently used first; the clock is unique, so the choice is clear.
  private func makeRoom(for size: Int, in state: inout State) {
    while state.bitmapBytes + state.dataBytes + size > capacity || state.bitmaps.count > 4096 {
      guard let oldest = state.bitmaps.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
      state.bitmapBytes -= oldest.value.bitmap?.byteCount ?? 0
      state.bitmaps[oldest.key] = nil
    }
  }

  /// The header data of an image; broken for an id the store did not give out.
  package func info(_ id: ImageID) -> ImageInfo {
    state.withLock { id.index < $0.entries.count ? $0.entries[id.index].info : ImageInfo() }
  }

  /// The lines of text that a drawing in a file shows, where they are known.
  package func texts(in id: ImageID) -> [String] {
    state.withLock { id.index < $0.entries.count ? $0.entries[id.index].texts : [] }
  }

  /// The bytes that all pixels of an image come from: its file, or an SVG document with what it refers to. nil for a
  /// broken image, and for pictures of vectors whose sources are not kept.
  package func source(of id: ImageID) -> [UInt8]? {
    guard let entry = state.withLock({ id.index < $0.entries.count ? $0.entries[id.index] : nil }), !entry.info.isBroken
    else { return nil }
    if entry.vector != nil { return entry.source }
    return entry.bytes
  }

  /// The image stretched to a size in device pixels; `nil` when nothing can be drawn. The size is bounded by
  /// `Limits.imagePixels`; a larger one gives a smaller bitmap of the same shape.
  ///
  /// - Parameter area: The size of the box in px, on which drawings without a `viewBox` depend; nil where that is the
  ///   bitmap's.
  package func bitmap(_ id: ImageID, width: Int, height: Int, area: SIMD2<Float>? = nil) -> Bitmap? {
    guard width > 0, height > 0 else { return nil }
    var width = width
    var height = height
    while Double(width) * Double(height) > Double(limits.imagePixels) {
      width = Swift.max(1, width / 2)
      height = Swift.max(1, height / 2)
      if width == 1 && height == 1 { break }
    }
    enum Found {
      case bitmap(Bitmap?)
      case entry(Entry)
    }
    var key = BitmapKey(image: id.rawValue, width: width, height: height)
    let found: Found? = state.withLock { state in
      guard id.index < state.entries.count else { return nil }
      if area != nil, state.entries[id.index].vector?.dependsOnArea == true { key.area = area }
      state.clock += 1
      if let cached = state.bitmaps[key] {
        state.bitmaps[key]?.lastUse = state.clock
        return .bitmap(cached.bitmap)
      }
      return .entry(state.entries[id.index])
    }
    switch found {
    case nil: return nil
    case .bitmap(let known): return known
    case .entry(let entry):
      guard !entry.info.isBroken else { return nil }
      let made: Bitmap?
      if let vector = entry.vector {
        made = vector.draw(width: width, height: height, area: key.area, limits: limits)
      } else {
        made = decode(entry, width: width, height: height)
      }
      state.withLock { store(made, for: key, path: entry.info.path, in: &$0) }
      return made
    }
  }

  private func decode(_ entry: Entry, width: Int, height: Int) -> Bitmap? {
    let data = entry.bytes ?? []
    // Squares are enlarged from pixels as they are in the file, where these are fewer.
    func least(_ size: Int, _ natural: Float?) -> Int {
      entry.presentation.isPixelated ? natural.map { Swift.max(1, Swift.min(size, Int($0))) } ?? size : size
    }
    let bitmap = ImageDecoder.decode(
      data, colors: profiles.profile(of: data, kind: entry.info.kind)?.profile, orientation: entry.info.orientation,
      width: least(width, entry.info.width), height: least(height, entry.info.height), limits: limits)
    return entry.presentation.isPixelated ? bitmap?.enlarged(width: width, height: height) : bitmap
  }

  /// The ICC profile in the file of an image and the number of its channels, where its colours are not those of sRGB.
  package func profile(of id: ImageID) -> (bytes: [UInt8], channels: Int)? {
    guard let entry = state.withLock({ id.index < $0.entries.count ? $0.entries[id.index] : nil }), !entry.info.isBroken
    else { return nil }
    return entry.bytes.flatMap { profiles.profile(of: $0, kind: entry.info.kind) }
      .map { ($0.source.bytes, $0.profile.channels) }
  }

  /// The photographs in a drawing of vectors, as the JPEG files that they are, where they are known.
  package func photographs(in id: ImageID) -> [[UInt8]] {
    state.withLock { id.index < $0.entries.count ? $0.entries[id.index] : nil }?.vector?.photographs ?? []
  }

  /// The pixels of a file, as they are stored in it.
  package func pixels(ofFile file: [UInt8], width: Int, height: Int) -> Bitmap? {
    ImageDecoder.decode(file, colors: nil, orientation: 1, width: width, height: height, limits: limits)
  }

  /// The place of the picture in a drawing of nothing else, the URL of its file, and where this begins; nil for all
  /// other images.
  package func framedPicture(in id: ImageID) -> (frame: PictureFrame, link: String, base: String)? {
    let entry = state.withLock { id.index < $0.entries.count ? $0.entries[id.index] : nil }
    return entry.flatMap { entry in entry.vector?.picture.map { ($0.frame, $0.link, entry.base) } }
  }

  /// What a drawing of vectors draws, as a list; nil for images of pixels, and where only librsvg knows.
  package func list(of id: ImageID) -> Drawing? {
    let entry = state.withLock { id.index < $0.entries.count ? $0.entries[id.index] : nil }
    guard let entry, !entry.info.isBroken else { return nil }
    return entry.vector?.list
  }

  /// A drawing of vectors as a PDF file of one page of a size in points; nil for images of pixels, and where it cannot
  /// be drawn.
  ///
  /// - Parameter area: As `bitmap` has it.
  package func pdf(_ id: ImageID, width: Int, height: Int, area: SIMD2<Float>? = nil) -> [UInt8]? {
    let entry = state.withLock { id.index < $0.entries.count ? $0.entries[id.index] : nil }
    guard let entry, !entry.info.isBroken else { return nil }
    return entry.vector?.pdf(width: width, height: height, area: area)
  }

  /// Draws a large photograph that is drawn for the first time, stretched to a size, straight over pixels `stride`
  /// bytes a row; false for all others, and when nothing of it can be read. Most pictures are drawn once, and need no
  /// memory of their own.
  package func draw(_ id: ImageID, over pixels: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) -> Bool {
    let key = BitmapKey(image: id.rawValue, width: width, height: height)
    let entry = state.withLock { state -> Entry? in
      guard id.index < state.entries.count, state.bitmaps[key] == nil, !state.drawnOnce.contains(key) else {
        return nil
      }
      return state.entries[id.index]
    }
    // JPEG has no transparency.
    guard let entry, entry.info.kind == .jpeg, !entry.presentation.isPixelated, !entry.info.isBroken,
      ImageDecoder.isUpright(entry.info.orientation),
      width * height * 4 > Self.largeBitmap, width * height <= limits.imagePixels
    else { return false }
    let data = entry.bytes ?? []
    guard
      unsafe ImageDecoder.draw(
        data, colors: profiles.profile(of: data, kind: .jpeg)?.profile, over: pixels, stride: stride, width: width,
        height: height, limits: limits)
    else { return false }
    state.withLock { _ = isFirstDrawing(of: key, in: &$0) }
    return true
  }

  /// Bytes of pixels from which on a bitmap is kept only when it is used again.
  private static let largeBitmap = 1 << 18

  /// Most large pictures are drawn once: the next use shows which are not.
  private func isFirstDrawing(of key: BitmapKey, in state: inout State) -> Bool {
    guard state.drawnOnce.insert(key).inserted else { return false }
    if state.drawnOnce.count > 4096 { state.drawnOnce.removeAll() }
    dropData(of: Int(key.image), in: &state)
    return true
  }

  private func dropData(of index: Int, in state: inout State) {
    guard index < state.entries.count, state.entries[index].load != nil else { return }
    state.dataBytes -= state.entries[index].data.count
    state.entries[index].data = []
  }

  private func store(_ bitmap: Bitmap?, for key: BitmapKey, path: String, in state: inout State) {
    guard state.bitmaps[key] == nil else { return }
    if bitmap == nil { state.diagnostics.warn("broken-image", resource: path, "the image cannot be decoded") }
    let size = bitmap?.byteCount ?? 0
    guard size <= capacity / 2 else { return }
    if size > Self.largeBitmap, isFirstDrawing(of: key, in: &state) { return }
    makeRoom(for: size, in: &state)
    state.clock += 1
    state.bitmaps[key] = CachedBitmap(bitmap: bitmap, lastUse: state.clock)
    state.bitmapBytes += size
  }
}

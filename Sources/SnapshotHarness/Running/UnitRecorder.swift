import BookOutput
import Fonts
import FoundationEssentials
import Graphics
import Images
import Platform
import Primitives
import Synchronization
import Typesetting

/// Keeps the pages of one unit as the engine hands them over: display lists and records as frames that are written at once,
/// so that a crash loses no page that was finished, and their hashes.
final class UnitRecorder: PageOutput {
  static let journalName = "journal"
  static let placeName = "place"

  private struct State {
    var pages: [PageHashes?] = []
    var packs: [FrameKind: FramePack.Stream] = [:]
    var journal: Int32 = -1
    var error: HarnessError?
    var faces: [FontID: DrawnFace] = [:]
    var faceKeys: [FontID: UInt64] = [:]
    var images: [ImageID: (key: UInt64, drawn: DrawnImage)] = [:]
    var place = ""
    /// By display hash: what drawing the page takes.
    var features: [UInt64: Set<UInt64>] = [:]
    var formats: [ImageID: UInt64] = [:]
  }

  /// A page as it is kept.
  struct Encoded: Hashable, Sendable {
    var display: [UInt8]?
    var record: [UInt8]?
  }

  let needs = PageNeeds([.list, .record, .recordedStyles, .imageSources])
  private let folder: String
  private let blobs: BlobStore
  private let placeDescriptor: Int32
  private let state = Lock(State())
  private let content = FaceContent()

  init(folder: String, blobs: BlobStore) throws(HarnessError) {
    self.folder = folder
    self.blobs = blobs
    placeDescriptor = unsafe open(Files.join(folder, Self.placeName), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard placeDescriptor >= 0 else { throw HarnessError(OutputFiles.failure(folder)) }
    var packs: [FrameKind: FramePack.Stream] = [:]
    for kind in [FrameKind.display, .record] {
      packs[kind] = try FramePack.Stream(path: Files.join(folder, kind.name))
    }
    let journal = unsafe open(Files.join(folder, Self.journalName), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard journal >= 0 else { throw HarnessError(OutputFiles.failure(folder)) }
    state.withLock {
      $0.packs = packs
      $0.journal = journal
    }
  }

  deinit { close(placeDescriptor) }

  // MARK: Pages

  func begin(_ phase: PagePhase, chapter: String) { mark(phase.rawValue, chapter: chapter) }

  /// Leaves a note of what is at work, for the case that this process does not live to tell.
  func mark(_ phase: String, chapter: String) {
    let line = "\(phase) \(chapter)\n"
    guard line != state.withLock({ state in exchange(&state.place, line) }) else { return }
    var padded = Array(line.utf8.prefix(500))
    padded += Array(repeating: 0x0A, count: 512 - padded.count)
    unsafe pwrite(placeDescriptor, padded, padded.count, 0)
  }

  private func exchange(_ value: inout String, _ new: String) -> String {
    defer { value = new }
    return value
  }

  /// The phase and the chapter that a recorder in `folder` noted last.
  static func place(in folder: String) -> (phase: String, chapter: String) {
    guard let text = Files.text(Files.join(folder, placeName)) else { return ("open", "") }
    let line = text.split(separator: "\n").first ?? ""
    let parts = line.split(separator: " ", maxSplits: 1)
    return (parts.first.map(String.init) ?? "open", parts.count > 1 ? String(parts[1]) : "")
  }

  func prepare(_ page: BookPage, _ tools: Void) -> Encoded {
    var encoded = Encoded()
    if let list = page.list {
      let bytes = DisplayWriter.encode(
        list, face: { self.key(of: $0, in: page.fonts) },
        outlines: { id, ranges in
          guard let face = page.fonts.face(id) else { return 0 }
          return self.content.outlines(of: ranges.lazy.joined().map { list.glyphs[$0].glyph }, in: face)
        }, image: { self.key(of: $0, in: page.images) })
      let sealed = Self.sealed(bytes, .display)
      encoded.display = sealed
      let features = PageSample.features(
        of: list, face: { self.key(of: $0, in: page.fonts) }, format: { self.format(of: $0, in: page.images) })
      let hash = unsafe sealed.withUnsafeBytes { unsafe UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
      state.withLock { $0.features[hash] = features }
    }
    if let record = page.record {
      // The faces in the order of their first use on the page, so that the record depends on nothing outside it.
      var local: [Int: Int] = [:]
      var keys: [UInt64] = []
      var bytes = record.filled(number: 0) { position in
        if let known = local[position] { return known }
        local[position] = keys.count
        keys.append(self.key(of: record.fonts[position], in: page.fonts))
        return keys.count - 1
      }
      if bytes.last == 0x7D { bytes.removeLast() }
      bytes += ",\"faces\":[\(keys.map { "\"\(hexadecimal($0))\"" }.joined(separator: ","))]}\n".utf8
      encoded.record = Self.sealed(bytes, .record)
    }
    return encoded
  }

  func append(_ page: Encoded, number: Int) {
    state.withLock { state in
      while state.pages.count < number { state.pages.append(nil) }
      var hashes = state.pages[number - 1] ?? PageHashes(display: 0, record: 0)
      do throws(HarnessError) {
        func keep(_ kind: FrameKind, _ sealed: [UInt8]?) throws(HarnessError) -> UInt64? {
          guard let sealed else { return nil }
          return try state.packs[kind]?.append(sealed: sealed)
        }
        hashes.display = try keep(.display, page.display) ?? hashes.display
        hashes.record = try keep(.record, page.record) ?? hashes.record
        state.pages[number - 1] = hashes
        let line = "page \(number) \(hexadecimal(hashes.display)) \(hexadecimal(hashes.record))\n"
        try note(Array(line.utf8), in: state)
      } catch {
        if state.error == nil { state.error = error }
      }
    }
  }

  private func note(_ line: [UInt8], in state: State) throws(HarnessError) {
    guard unsafe write(state.journal, line, line.count) == line.count else {
      throw HarnessError(OutputFiles.failure(folder))
    }
  }

  // MARK: Content keys

  /// Bytes with their key before a frame of them.
  private static func sealed(_ bytes: [UInt8], _ kind: FrameKind) -> [UInt8] {
    unsafe withUnsafeBytes(of: kind.key(of: bytes).littleEndian) { unsafe Array($0) } + kind.frame(of: bytes)
  }

  private func key(of id: FontID, in fonts: FontLibrary) -> UInt64 {
    if let known = state.withLock({ $0.faceKeys[id] }) { return known }
    guard let face = fonts.face(id) else { return 0 }
    let key = FaceContent.key(of: face)
    // A folder of links to fonts is another one on each machine.
    let path = face.file.path.map { FilePath.resolved($0) ?? $0 }
    var drawn = DrawnFace(
      key: hexadecimal(key), family: face.familyName, style: face.styleName, weight: Int(face.weight),
      file: face.fileName, path: path, index: face.faceIndex, coordinates: face.variationCoordinates,
      isBold: face.isSyntheticBold, isOblique: face.isSyntheticOblique)
    if face.isSyntheticOblique, face.syntheticSlant != FontDescription.defaultObliqueAngle {
      drawn.obliqueAngle = face.syntheticSlant
    }
    if face.isColor { drawn.palette = DrawnPalette(face.palette) }
    if face.file.path == nil { drawn.blob = keep(face.file.contents) }
    state.withLock {
      $0.faceKeys[id] = key
      $0.faces[id] = drawn
      try? note(Array("face ".utf8) + Files.json(drawn), in: $0)
    }
    return key
  }

  private func key(of id: ImageID, in images: ImageStore) -> UInt64 {
    if let known = state.withLock({ $0.images[id] }) { return known.key }
    guard let bytes = images.source(of: id) else { return 0 }
    var hasher = StableHasher()
    hasher.combine(bytes)
    let presentation = images.presentation(of: id)
    if presentation.isAsStored { hasher.combine("stored") }
    if presentation.isPixelated { hasher.combine("pixelated") }
    let key = hasher.value
    let drawn = DrawnImage(
      key: hexadecimal(key), blob: keep(bytes),
      presentation: presentation == ImagePresentation() ? nil : presentation)
    state.withLock {
      $0.images[id] = (key, drawn)
      try? note(Array("image ".utf8) + Files.json(drawn), in: $0)
    }
    return key
  }

  private func format(of id: ImageID, in images: ImageStore) -> UInt64 {
    if let known = state.withLock({ $0.formats[id] }) { return known }
    let format = PageSample.format(images.source(of: id) ?? [])
    state.withLock { $0.formats[id] = format }
    return format
  }

  /// The displays of the pages that are drawn in every run.
  func sample() -> Set<UInt64> { PageSample.choose(state.withLock { $0.features }) }

  private func keep(_ bytes: [UInt8]) -> String {
    do throws(HarnessError) { return try blobs.store(bytes) } catch {
      state.withLock { if $0.error == nil { $0.error = error } }
      return ""
    }
  }

  // MARK: End

  /// Ends the files.
  func finish() throws(HarnessError) -> (pages: [PageHashes], faces: [DrawnFace], images: [DrawnImage]) {
    let taken: (state: (pages: [PageHashes], faces: [DrawnFace], images: [DrawnImage]), error: HarnessError?) =
      state.withLock { state in
        var error = state.error
        do throws(HarnessError) {
          for kind in state.packs.keys { try state.packs[kind]?.finish() }
        } catch let failure {
          error = error ?? failure
        }
        close(state.journal)
        var faces: [String: DrawnFace] = [:]
        for face in state.faces.values { faces[face.key] = face }
        var images: [String: DrawnImage] = [:]
        for image in state.images.values { images[image.drawn.key] = image.drawn }
        return (
          (
            state.pages.map { $0 ?? PageHashes(display: 0, record: 0) },
            faces.values.sorted { $0.key < $1.key },
            images.values.sorted { $0.key < $1.key }
          ), error
        )
      }
    if let error = taken.error { throw error }
    return taken.state
  }

  /// The pages that a recorder which did not live to its end has left in `folder`: those from the first on that are whole.
  /// Its packs get their indices.
  static func recover(_ folder: String) -> (pages: [PageHashes], faces: [DrawnFace], images: [DrawnImage]) {
    func repair(_ kind: FrameKind) -> Set<UInt64> { FramePack.repair(Files.join(folder, kind.name), kind) }
    let displays = repair(.display)
    let records = repair(.record)
    let decoder = JSONDecoder()
    var found: [Int: PageHashes] = [:]
    var faces: [String: DrawnFace] = [:]
    var images: [String: DrawnImage] = [:]
    for line in (Files.text(Files.join(folder, journalName)) ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let data = Data(parts[1].utf8)
      switch parts[0] {
      case "page":
        let fields = parts[1].split(separator: " ")
        guard fields.count == 3, let number = Int(fields[0]), let display = UInt64(fields[1], radix: 16),
          let record = UInt64(fields[2], radix: 16)
        else { continue }
        found[number] = PageHashes(display: display, record: record)
      case "face": if let face = try? decoder.decode(DrawnFace.self, from: data) { faces[face.key] = face }
      case "image": if let image = try? decoder.decode(DrawnImage.self, from: data) { images[image.key] = image }
      default: break
      }
    }
    var pages: [PageHashes] = []
    while let next = found[pages.count + 1], displays.contains(next.display), records.contains(next.record) {
      pages.append(next)
    }
    return (pages, faces.values.sorted { $0.key < $1.key }, images.values.sorted { $0.key < $1.key })
  }
}

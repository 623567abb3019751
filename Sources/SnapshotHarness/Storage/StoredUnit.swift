import Fonts
import FoundationEssentials
import Graphics
import Images
import Primitives
package import RasterRendering

/// Packs that are opened when a frame of their kind is first asked for.
final class FrameSource {
  /// The packs of a kind.
  let paths: (FrameKind) -> [String]
  private var packs: [FrameKind: [FramePack]] = [:]

  init(_ paths: @escaping (FrameKind) -> [String]) { self.paths = paths }

  /// The packs of a folder that has those of a unit.
  convenience init(folder: String, names: [String]) {
    self.init { kind in names.filter(kind.isName).map { Files.join(folder, $0) } }
  }

  private func packs(_ kind: FrameKind) -> [FramePack] {
    if let known = packs[kind] { return known }
    let opened = paths(kind).compactMap { FramePack(path: $0) }
    packs[kind] = opened
    return opened
  }

  func content(_ kind: FrameKind, _ key: UInt64) -> [UInt8]? {
    for pack in packs(kind) { if let content = pack.content(kind, key) { return content } }
    return nil
  }

  func contains(_ kind: FrameKind, _ key: UInt64) -> Bool { packs(kind).contains { $0.places[key] != nil } }

  func frame(_ kind: FrameKind, _ key: UInt64) -> [UInt8]? {
    for pack in packs(kind) { if let frame = pack.frame(key) { return frame } }
    return nil
  }
}

/// A unit of a run or of a baseline: its hashes at once, its pages when they are asked for, each read alone.
///
/// For one thread at a time.
package final class StoredUnit: UnitSource {
  package let result: UnitResult
  package let faces: [FaceRecord]
  /// Device pixels per CSS px.
  package var scale = 1.0
  let file: UnitFile
  private let blobs: BlobStore
  private let frames: FrameSource
  private let faceNumbers: [String: Int]
  private lazy var drawer = PageDrawer(faces: file.faces, images: file.images, blobs: blobs)

  init(file: UnitFile, profile: Profile?, hashes: [UInt8], blobs: BlobStore, frames: FrameSource) {
    self.file = file
    self.blobs = blobs
    self.frames = frames
    if let profile { scale = profile.scale }
    var result = file.result
    result.pages = PageHashFile.pages(hashes) ?? []
    self.result = result
    faces = file.faces.enumerated().map { index, face in
      FaceRecord(
        id: index, family: face.family, style: face.style, weight: face.weight, file: face.file,
        key: UInt64(face.key, radix: 16))
    }
    var numbers: [String: Int] = [:]
    for (index, face) in file.faces.enumerated() { numbers[face.key] = index }
    faceNumbers = numbers
  }

  private func hashes(of page: Int) -> PageHashes? {
    page > 0 && page <= result.pages.count ? result.pages[page - 1] : nil
  }

  /// The keys of a page's frames, nil for none of the kind.
  func key(_ kind: FrameKind, of page: Int) -> UInt64? {
    guard let hashes = hashes(of: page) else { return nil }
    switch kind {
    case .display: return hashes.display
    case .record: return hashes.record
    case .pdf: return hashes.pdf == 0 ? nil : hashes.pdf
    case .beyond: return page == 1 ? file.beyond.flatMap { UInt64($0, radix: 16) } : nil
    }
  }

  /// A frame as it is stored.
  func frame(_ kind: FrameKind, _ key: UInt64) -> [UInt8]? { frames.frame(kind, key) }

  func contains(_ kind: FrameKind, _ key: UInt64) -> Bool { frames.contains(kind, key) }

  /// A page can be shown.
  func hasPage(_ page: PageHashes) -> Bool { contains(.display, page.display) && contains(.record, page.record) }

  private func content(_ kind: FrameKind, of page: Int) -> [UInt8]? {
    key(kind, of: page).flatMap { frames.content(kind, $0) }
  }

  /// What a page is in a PDF; nil where that is not kept.
  func pdf(of page: Int) -> String? { content(.pdf, of: page).map { String(decoding: $0, as: UTF8.self) } }

  /// What the book is beyond its pages; nil where that is not kept.
  var beyondPages: String? { content(.beyond, of: 1).map { String(decoding: $0, as: UTF8.self) } }

  package func recordText(of page: Int) -> [UInt8]? { content(.record, of: page) }

  package func record(of page: Int) -> PageRecord? {
    guard let bytes = content(.record, of: page),
      var record = LayoutRecordReader.page(bytes.span.extracting(droppingLast: 1))
    else { return nil }
    let keys = Self.faceKeys(of: bytes)
    record.number = page
    func number(_ local: Int) -> Int { local >= 0 && local < keys.count ? faceNumbers[keys[local]] ?? -1 : -1 }
    for line in record.lines.indices {
      for run in record.lines[line].runs.indices {
        record.lines[line].runs[run].font = number(record.lines[line].runs[run].font)
      }
      record.lines[line].primary = record.lines[line].primary.map(number)
    }
    return record
  }

  /// The face keys at the end of a stored record: `,"faces":["…","…"]}`.
  private static func faceKeys(of record: [UInt8]) -> [String] {
    guard let open = record.lastIndex(of: 0x5B) else { return [] }
    return record[open...].split(separator: 0x22).filter { $0.count == 16 }.map { String(decoding: $0, as: UTF8.self) }
  }

  package func displayList(of page: Int) -> PageDisplay? {
    content(.display, of: page).flatMap { DisplayReader.decode($0) }
  }

  package func bitmap(of page: Int) -> PageBitmap? {
    displayList(of: page).map { drawer.draw($0, scale: scale) }
  }
}

/// Draws display lists whose faces and images are known by content.
final class PageDrawer {
  private let fonts = FontLibrary(usesSystemFonts: false)
  private let images = ImageStore()
  private let renderer: RasterRenderer
  private var faceIDs: [UInt64: FontID] = [:]
  private var imageIDs: [UInt64: ImageID] = [:]

  init(faces: [DrawnFace], images drawn: [DrawnImage], blobs: BlobStore) {
    renderer = RasterRenderer(fonts: fonts, images: images)
    var files: [String: FontFile] = [:]
    for face in faces {
      let place = face.blob ?? face.path ?? ""
      if files[place] == nil {
        if let blob = face.blob {
          files[place] = blobs.read(blob).flatMap { try? FontFile(data: $0, name: face.file) }
        } else {
          files[place] = try? FontFile(path: place)
        }
      }
      guard let file = files[place], let key = UInt64(face.key, radix: 16),
        let made = fonts.face(
          drawing: file, index: face.index, coordinates: face.coordinates, isSyntheticBold: face.isBold,
          syntheticSlant: face.slant, palette: face.palette?.selection ?? PaletteSelection()),
        // Another font in the same place would draw other glyphs.
        FaceContent.key(of: made) == key
      else { continue }
      faceIDs[key] = made.id
    }
    for image in drawn {
      guard let key = UInt64(image.key, radix: 16) else { continue }
      let hash = image.blob
      imageIDs[key] = images.image(
        images.image(path: image.key, load: { blobs.read(hash) }), presented: image.presentation ?? ImagePresentation())
    }
  }

  /// Glyphs of faces that are not to be had are left out.
  func draw(_ page: PageDisplay, scale: Double) -> PageBitmap {
    var list = page.list
    list.items = list.items.map { item in
      func image(_ id: ImageID) -> ImageID {
        id.index < page.images.count ? imageIDs[page.images[id.index]] ?? ImageID.none : ImageID.none
      }
      switch item {
      case .glyphs(let font, let size, let color, let rotation, let expansion, let glyphs):
        let id = font.index < page.faces.count ? faceIDs[page.faces[font.index]] ?? FontID.none : FontID.none
        return .glyphs(
          font: id, size: size, color: color, rotation: rotation, expansion: expansion, glyphs: glyphs)
      case .image(let id, let rect): return .image(image(id), rect)
      case .imagePart(let id, let part, let of, let rect): return .imagePart(image(id), part: part, of: of, rect)
      case .tiledImage(let id, let tile, let spacing, let clip):
        return .tiledImage(image(id), tile: tile, spacing: spacing, clip: clip)
      default: return item
      }
    }
    return renderer.render(list, scale: scale)
  }
}

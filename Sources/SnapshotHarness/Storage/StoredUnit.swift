import Fonts
import FoundationEssentials
import Graphics
import Images
import Primitives
package import RasterRendering

/// Packs that are opened when a frame is first asked for.
final class FrameSource {
  private let open: () -> [FramePack]
  private lazy var packs = open()

  init(_ open: @escaping () -> [FramePack]) { self.open = open }

  func content(_ key: UInt64) -> [UInt8]? {
    for pack in packs { if let content = pack.content(key) { return content } }
    return nil
  }

  func contains(_ key: UInt64) -> Bool { packs.contains { $0.places[key] != nil } }

  func frame(_ key: UInt64) -> [UInt8]? {
    for pack in packs { if let frame = pack.frame(key) { return frame } }
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
  private let displays: FrameSource
  private let records: FrameSource
  private let faceNumbers: [String: Int]
  private lazy var drawer = PageDrawer(faces: file.faces, images: file.images, blobs: blobs)

  init(
    file: UnitFile, profile: Profile?, hashes: [UInt8], blobs: BlobStore, display: FrameSource, record: FrameSource
  ) {
    self.file = file
    self.blobs = blobs
    displays = display
    records = record
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

  /// The frames of a page as they are stored.
  func frames(of page: Int) -> (display: [UInt8], record: [UInt8])? {
    guard let hashes = hashes(of: page), let display = displays.frame(hashes.display),
      let record = records.frame(hashes.record)
    else { return nil }
    return (display, record)
  }

  func hasDisplay(_ hash: UInt64) -> Bool { displays.contains(hash) }
  func hasRecord(_ hash: UInt64) -> Bool { records.contains(hash) }

  package func record(of page: Int) -> PageRecord? {
    guard let hashes = hashes(of: page), let bytes = records.content(hashes.record),
      var record = unsafe bytes.withUnsafeBufferPointer({
        unsafe LayoutRecordReader.page(.init(rebasing: $0.dropLast()))
      })
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
    hashes(of: page).flatMap { displays.content($0.display) }.flatMap { DisplayReader.decode($0) }
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
      imageIDs[key] = images.image(path: image.key, load: { blobs.read(hash) })
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

import Graphics
import Primitives
import RasterRendering

/// The pages of a unit that are drawn in every run, so that a change of the rasteriser, of FreeType, of an image decoder or of
/// blending is seen where display lists are equal.
///
/// For every feature of drawing that the unit uses, the page with the least display hash among those that use it is drawn. The
/// choice is stable: a page that changes, comes or goes changes it for no feature but its own.
enum PageSample {
  /// At most so many pages of a unit are drawn.
  static let maximumPages = 16

  /// The hashes of displays to draw.
  ///
  /// - Parameter features: by display hash, what drawing the page takes.
  static func choose(_ features: [UInt64: Set<UInt64>]) -> Set<UInt64> {
    var covered: Set<UInt64> = []
    var chosen: Set<UInt64> = []
    for (display, own) in features.sorted(by: { $0.key < $1.key }) where chosen.count < maximumPages {
      if own.isSubset(of: covered) { continue }
      covered.formUnion(own)
      chosen.insert(display)
    }
    return chosen
  }

  /// The features that drawing a list takes: each kind of item, each face, each kind of gradient, line, blending and filter, and
  /// each format of image.
  static func features(
    of list: DisplayList, face: (FontID) -> UInt64, format: (ImageID) -> UInt64
  ) -> Set<UInt64> {
    var found: Set<UInt64> = []
    func note(_ kind: UInt64, _ detail: UInt64 = 0) { found.insert(kind << 56 ^ detail & 0x00FF_FFFF_FFFF_FFFF) }
    for item in list.items {
      switch item {
      case .fillRect(_, let color): note(1, color.alpha == 255 ? 0 : 1)
      case .fillRoundedRect: note(2)
      case .fillRing: note(3)
      case .fillPath: note(4)
      case .strokeLine(_, _, _, let style, _): note(5, UInt64(style.rawValue))
      case .strokePath(_, _, let style, _): note(6, UInt64(style.rawValue))
      case .fillGradient(_, _, let gradient):
        switch gradient {
        case .linear(_, _, _, let isRepeating): note(7, isRepeating ? 1 : 0)
        case .radial(_, _, _, let isRepeating): note(8, isRepeating ? 1 : 0)
        case .conic(_, _, _, let isRepeating): note(9, isRepeating ? 1 : 0)
        }
      case .glyphs(let font, _, let color, let rotation, let expansion, _):
        note(10, face(font))
        note(11, UInt64(rotation.rawValue))
        note(12, color.alpha == 255 ? 0 : 1)
        if expansion != 0 { note(25) }
      case .image(let id, _): note(13, format(id))
      case .imagePart(let id, _, _, _): note(14, format(id))
      case .tiledImage(let id, _, _, _): note(15, format(id))
      case .shadow(_, _, let blur, _, let isInset, _): note(16, (isInset ? 2 : 0) + (blur > .zero ? 1 : 0))
      case .saveClip(_, let radii): note(17, radii.isZero ? 0 : 1)
      case .saveClipPath(_, let isEvenOdd): note(18, isEvenOdd ? 1 : 0)
      case .saveLayer(let style):
        note(19, UInt64(style.blend.rawValue) * 2 + (style.opacity < 1 ? 1 : 0))
        for filter in style.filters {
          switch filter {
          case .colorMatrix, .linearColorMatrix: note(20)
          case .blur: note(21)
          case .dropShadow: note(22)
          case .graph: note(26)
          }
        }
      case .saveTransform, .saveProjection: note(23)
      case .filterBackdrop: note(21)
      case .restore: break
      }
    }
    // A page without anything on it is paper.
    note(24)
    return found
  }

  /// The format of an image's file by its first bytes, which tell its decoder.
  static func format(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// The hash of a page's pixels.
  static func hash(_ bitmap: PageBitmap) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(bitmap.width)
    hasher.combine(bitmap.height)
    hasher.combine(Int(bitmap.format.rawValue))
    hasher.combine(bitmap.pixels)
    return hasher.value
  }

  /// Draws pages of a unit.
  ///
  /// - Parameter displays: the hashes of those to draw; nil draws all.
  static func draw(_ unit: StoredUnit, displays: Set<UInt64>?) -> [DrawnPage] {
    var seen: Set<UInt64> = []
    var drawn: [DrawnPage] = []
    for (index, hashes) in unit.result.pages.enumerated() {
      guard displays?.contains(hashes.display) ?? true, seen.insert(hashes.display).inserted,
        let bitmap = unit.bitmap(of: index + 1)
      else { continue }
      drawn.append(DrawnPage(page: index + 1, pixels: hexadecimal(hash(bitmap))))
    }
    return drawn
  }

  /// The pages that both sides have drawn from equal display lists into other pixels.
  ///
  /// - Parameter display: The display list of a page of the new side, where it is kept.
  static func changes(
    _ old: (file: UnitFile, pages: [PageHashes]), _ new: (file: UnitFile, pages: [PageHashes]),
    display: (Int) -> PageDisplay?
  ) -> [PageChange] {
    let before = old.file.pixels(of: old.pages)
    let pairs = (new.file.pixels ?? []).compactMap { drawn -> (old: DrawnPage, new: DrawnPage)? in
      guard drawn.page > 0, drawn.page <= new.pages.count else { return nil }
      return before[new.pages[drawn.page - 1].display].map { ($0, drawn) }
    }
    let others = pairs.filter { $0.old.pixels != $0.new.pixels }
    let kinds = DrawingCauses.kinds(
      changed: others.map(\.new.page), equal: pairs.lazy.filter { $0.old.pixels == $0.new.pixels }.map(\.new.page)
    ) { page in
      display(page).map { page in
        features(of: page.list, face: { page.face($0) }, format: { page.image($0) })
      }
    }
    return others.map { other, drawn in
      let own = kinds[drawn.page] ?? []
      let change = Change(
        kind: .drawingChanged, severity: ChangeClass.drawingChanged.severity,
        signature: ChangeFolding.signature(.drawingChanged, causes: own), summary: DrawingCauses.summary(own))
      return PageChange(
        oldPage: other.page, newPage: drawn.page, chapter: 0, href: "", changes: [change],
        fingerprint: (UInt64(drawn.pixels, radix: 16) ?? 0) & 0xFFFF_FFFF_FFFF)
    }
  }
}

extension PageDisplay {
  /// What its numbers of faces and images stand for, by content; 0 where that is not known.
  fileprivate func face(_ id: FontID) -> UInt64 { Int(id.rawValue) < faces.count ? faces[Int(id.rawValue)] : 0 }
  fileprivate func image(_ id: ImageID) -> UInt64 { Int(id.rawValue) < images.count ? images[Int(id.rawValue)] : 0 }
}

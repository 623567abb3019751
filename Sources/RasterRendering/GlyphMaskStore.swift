import Platform
import Primitives
import Synchronization

/// The masks and outlines of glyphs that the renderers of a font library share: what one has drawn no other draws again.
///
/// Masks of all faces and sizes lie in one block of memory; when that is full a new one is begun, which costs time and changes no
/// pixel. Whoever still draws from the old one keeps it until the end of its text.
package final class GlyphMaskStore: Sendable {
  private let current: Lock<GlyphArena>
  /// Bytes that may be kept.
  package let capacity: Int

  package init(capacity: Int = 24 << 20) {
    self.capacity = Swift.max(1 << 16, Swift.min(capacity, 1 << 30))
    current = Lock(GlyphArena(capacity: self.capacity))
  }

  /// Bytes kept.
  package var byteCount: Int { current.withLock { $0.byteCount } }

  /// The memory to draw from now on.
  ///
  /// - Parameter full: The part that has turned out to be full.
  func arena(instead full: GlyphArena? = nil) -> GlyphArena {
    current.withLock { arena in
      if arena === full { arena = GlyphArena(capacity: capacity) }
      return arena
    }
  }
}

/// A place in an arena, in units of eight bytes from its start. Zero is none.
typealias GlyphPlace = UInt32

/// Memory that threads take pieces of and fill without waiting for each other. It is zero at first, never moves, and goes as a whole.
///
/// A piece is filled before its place is written where others find it, with release ordering; who reads a place with acquire ordering
/// may read the piece. Two threads may make the same piece; either serves.
@safe final class GlyphArena: @unchecked Sendable {
  typealias Places = UnsafeMutablePointer<Atomic<GlyphPlace>>

  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  /// In bytes; more than the capacity once something did not fit.
  private let used = Atomic<Int>(8)
  /// By strike: for each block of 64 glyphs the place of its table.
  private let strikes = Lock<[GlyphMaskCache.StrikeKey: GlyphPlace]>([:])

  init(capacity: Int) {
    let memory = unsafe mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    // Without address space everything is drawn anew each time.
    let isMapped = unsafe memory != MAP_FAILED && memory != nil
    unsafe base = unsafe isMapped ? memory! : UnsafeMutableRawPointer(bitPattern: 8)!
    self.capacity = isMapped ? capacity : 0
  }

  deinit { if capacity > 0 { unsafe munmap(base, capacity) } }

  var byteCount: Int { Swift.min(used.load(ordering: .relaxed), capacity) }
  var isFull: Bool { used.load(ordering: .relaxed) > capacity }

  /// Zeroed memory; zero when there is no more.
  func take(_ bytes: Int) -> GlyphPlace {
    let start = used.add((bytes + 7) & ~7, ordering: .relaxed).oldValue
    return start + bytes <= capacity ? GlyphPlace(start >> 3) : 0
  }

  @inline(__always)
  func memory(_ place: GlyphPlace) -> UnsafeMutableRawPointer { unsafe base + Int(place) << 3 }

  /// A table of so many places, none of them known yet; 0 when there is no room.
  private func makeTable(_ count: Int) -> GlyphPlace {
    let place = take(count * MemoryLayout<GlyphPlace>.stride)
    if place != 0 { unsafe memory(place).bindMemory(to: Atomic<GlyphPlace>.self, capacity: count) }
    return place
  }

  @inline(__always)
  func table(_ place: GlyphPlace) -> Places { unsafe memory(place).assumingMemoryBound(to: Atomic<GlyphPlace>.self) }

  /// The table of a strike's blocks; nil when there is no room.
  func blocks(of strike: GlyphMaskCache.StrikeKey, count: Int) -> Places? {
    let place = strikes.withLock { strikes in
      if let known = strikes[strike] { return known }
      let made = makeTable(count)
      if made != 0 { strikes[strike] = made }
      return made
    }
    return unsafe place == 0 ? nil : table(place)
  }

  /// The table of a block, made when it is missing; nil when there is no room.
  func block(_ number: Int, of blocks: Places, count: Int) -> Places? {
    let known = unsafe blocks[number].load(ordering: .acquiring)
    if known != 0 { return unsafe table(known) }
    let made = makeTable(count)
    guard made != 0 else { return nil }
    let (isFirst, other) = unsafe blocks[number].compareExchange(
      expected: 0, desired: made, ordering: .acquiringAndReleasing)
    return unsafe table(isFirst ? made : other)
  }
}

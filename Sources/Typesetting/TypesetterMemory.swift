import ChapterEngine
import Images
import Platform
import Primitives
import Synchronization

extension Typesetter {
  /// Bytes that are kept now, about.
  public var cachedBytes: Int {
    state.withLock { $0.chapterBytes + $0.resources.images.cachedBytes + $0.resources.glyphBytes }
      + book.sources.byteCount
  }

  /// Gives up the chapters used longest ago while all take too much.
  func trim() {
    let isMuch = state.withLock { state in
      var total = state.chapterBytes + book.sources.byteCount
      while total > cacheLimit / 2, state.sessions.count > 1 {
        let bytes = state.sessions.removeFirst().byteCount
        total -= bytes
        state.givenUp += bytes
      }
      guard state.givenUp > cacheLimit / 2 else { return false }
      state.givenUp = 0
      return true
    }
    if isMuch { FreeMemory.giveBackIfBounded() }
  }

  /// Gives up all that is kept of the book, and the memory back to the system: for an app that is told that memory is
  /// short, or whose window is put away. What is asked for later is made again.
  public func releaseMemory() {
    state.withLock { $0.renew() }
    book.sources.removeAll()
    FreeMemory.giveBack()
  }

  // MARK: In a pool

  /// Chapters that are kept warm.
  var layoutCount: Int { state.withLock(\.sessions.count) }

  /// When the pool's clock last saw a use of what goes first; nil where nothing is kept.
  var oldestUse: UInt64? {
    state.withLock { state in
      state.sessions.first.map { $0.lastUse.load(ordering: .relaxed) } ?? state.lastUse
    }
  }

  /// Gives up the layout used longest ago, or where there is none all that is kept of the book.
  func giveUpOldest() {
    let isLayout = state.withLock { state in
      guard state.sessions.isEmpty else {
        state.sessions.removeFirst()
        return true
      }
      state.renew()
      return false
    }
    if !isLayout { book.sources.removeAll() }
  }
}

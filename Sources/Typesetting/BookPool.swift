import Platform
import Synchronization

/// Books that share one budget of memory, and of threads: for servers and for apps with many books open.
///
///     let pool = BookPool(memory: 400 << 20, threads: 8)
///     let typesetter = Typesetter(book: book, pool: pool)
///
/// What typesetters keep counts, as ``Typesetter/cachedBytes`` tells it. While all of it is more than the budget, the
/// layout that was used longest ago goes first, whichever book it is of; of a book without layouts its documents, fonts
/// and pictures go. What is asked for later is made again, and looks the same. Pages and layouts that have been given
/// out belong to who holds them.
///
/// A pool keeps no book open: a typesetter leaves it when nobody holds it any more. All functions may be called from
/// any task.
public final class BookPool: Sendable {
  /// What a pool holds, and what it has given up since it was made.
  public struct Usage: Hashable, Sendable, Codable {
    /// The typesetters of the pool.
    public var typesetters = 0
    /// Layouts of chapters that are kept.
    public var layouts = 0
    /// Bytes that are kept, about.
    public var bytes = 0
    /// Layouts that were given up for want of room.
    public var evictedLayouts = 0
    /// How often the documents, fonts and pictures of a book were given up for want of room.
    public var evictedBooks = 0
  }

  private struct Member {
    weak var typesetter: Typesetter?
  }

  /// Bytes that may be kept, about. The layout in use is kept whatever it takes.
  public let memory: Int
  /// The number of chapters at work at the same time; others wait for their turn, in the order in which they came. nil
  /// for as many as are asked for.
  public let threads: Int?

  let gate: WorkGate?
  private let members = Lock<[ObjectIdentifier: Member]>([:])
  private let clock = Atomic<UInt64>(0)
  private let evicted = Lock(Usage())
  /// Held by who makes room: two at once would give up twice as much.
  private let room = Lock(0)

  /// A pool without books.
  ///
  /// - Parameters:
  ///   - memory: Bytes that its typesetters may keep together.
  ///   - threads: Chapters that are set at the same time; at least one.
  public init(memory: Int, threads: Int? = nil) {
    self.memory = memory
    self.threads = threads.map { Swift.max(1, $0) }
    gate = self.threads.map { WorkGate($0) }
  }

  /// What is held now. It takes a moment for each typesetter.
  public var usage: Usage {
    var usage = evicted.withLock { $0 }
    for typesetter in typesetters {
      usage.typesetters += 1
      usage.layouts += typesetter.layoutCount
      usage.bytes += typesetter.cachedBytes
    }
    return usage
  }

  /// Gives up all that is kept, and the memory back to the system.
  public func releaseMemory() { for typesetter in typesetters { typesetter.releaseMemory() } }

  // MARK: Members

  private var typesetters: [Typesetter] { members.withLock { $0.values.compactMap(\.typesetter) } }

  func add(_ typesetter: Typesetter) {
    members.withLock { $0[ObjectIdentifier(typesetter)] = Member(typesetter: typesetter) }
  }

  /// A typesetter has gone.
  func remove(_ typesetter: ObjectIdentifier) { _ = members.withLock { $0.removeValue(forKey: typesetter) } }

  /// A number greater than all before.
  func tick() -> UInt64 { clock.add(1, ordering: .relaxed).newValue }

  /// Gives up what was used longest ago while all takes too much.
  func makeRoom() {
    let typesetters = self.typesetters
    let isMuch = room.withLock { givenUp in
      var total = typesetters.reduce(0) { $0 + $1.cachedBytes }
      while total > memory {
        let used = typesetters.compactMap { member in member.oldestUse.map { (use: $0, member: member) } }
        guard used.count > 1 || (used.first?.member.layoutCount ?? 0) > 1,
          let oldest = used.min(by: { $0.use < $1.use })
        else { break }
        let isLayout = oldest.member.layoutCount > 0
        let before = oldest.member.cachedBytes
        oldest.member.giveUpOldest()
        evicted.withLock { if isLayout { $0.evictedLayouts += 1 } else { $0.evictedBooks += 1 } }
        let bytes = Swift.max(0, before - oldest.member.cachedBytes)
        total -= bytes
        givenUp += bytes
      }
      guard givenUp > memory / 4 else { return false }
      givenUp = 0
      return true
    }
    if isMuch { FreeMemory.giveBackIfBounded() }
  }
}

/// Lets so many in at the same time, in the order in which they came.
final class WorkGate: Sendable {
  private struct State {
    var free: Int
    var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var count = 0
    /// Of those who have not begun to wait; who gives up has none any more.
    var tickets: Set<Int> = []
  }
  private let state: Lock<State>

  init(_ places: Int) { state = Lock(State(free: places)) }

  /// Waits for a place; false when the task is cancelled meanwhile. Who is let in leaves again.
  func enter() async -> Bool {
    let id = state.withLock { state in
      state.count += 1
      state.tickets.insert(state.count)
      return state.count
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          guard state.tickets.remove(id) != nil else { return false }
          guard state.free > 0 else {
            state.waiting.append((id, continuation))
            return nil
          }
          state.free -= 1
          return true
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
        state.tickets.remove(id)
        return nil
      }
      return state.waiting.remove(at: place).continuation
    }
    waiting?.resume(returning: false)
  }

  /// Makes a place for the one who has waited longest.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}

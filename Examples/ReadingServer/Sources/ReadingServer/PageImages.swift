import FoundationEssentials

/// Pictures made for answers, the ones used last within a bound of bytes. What is asked for twice at once is made once, and no
/// more than a few are made at the same time, whatever is asked for; what all have given up that asked for it is not made.
actor PageImages {
  private struct Entry {
    var bytes: Data
    var lastUse: UInt64
  }
  private let capacity: Int
  private var slots: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var entries: [String: Entry] = [:]
  private var byteCount = 0
  private var clock: UInt64 = 0
  /// A picture that is being made, or waits for its turn.
  private final class Making {
    /// How many wait for it.
    var users = 0
    var task: Task<Data, any Error>?
  }
  private var making: [String: Making] = [:]

  /// - Parameters:
  ///   - capacity: Bytes that are kept.
  ///   - slots: How many pictures are made at the same time.
  init(capacity: Int, slots: Int) {
    self.capacity = capacity
    self.slots = slots
  }

  /// The picture of a name, made if it is not there.
  func image(_ name: String, _ make: @escaping @Sendable () async throws -> Data) async throws -> Data {
    clock += 1
    if entries[name] != nil {
      entries[name]?.lastUse = clock
      return entries[name]?.bytes ?? Data()
    }
    let making = self.making[name] ?? Making()
    self.making[name] = making
    making.users += 1
    let task = making.task ?? start(making, name, make)
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await giveUp(name, task) }
    }
  }

  private func start(
    _ making: Making, _ name: String, _ make: @escaping @Sendable () async throws -> Data
  ) -> Task<Data, any Error> {
    let task = Task {
      await acquire()
      defer {
        release()
        end(making, name)
      }
      try Task.checkCancellation()
      let bytes = try await make()
      keep(bytes, name)
      return bytes
    }
    making.task = task
    return task
  }

  /// One that waited for a picture waits no more.
  private func giveUp(_ name: String, _ task: Task<Data, any Error>) {
    guard let making = making[name], making.task == task else { return }
    making.users -= 1
    if making.users == 0 {
      task.cancel()
      end(making, name)
    }
  }

  private func end(_ making: Making, _ name: String) { if self.making[name] === making { self.making[name] = nil } }

  private func keep(_ bytes: Data, _ name: String) {
    guard bytes.count <= capacity / 8, entries[name] == nil else { return }
    entries[name] = Entry(bytes: bytes, lastUse: clock)
    byteCount += bytes.count
    while byteCount > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
      byteCount -= oldest.value.bytes.count
    }
  }

  private func acquire() async {
    if slots > 0 {
      slots -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func release() {
    if waiting.isEmpty { slots += 1 } else { waiting.removeFirst().resume() }
  }
}

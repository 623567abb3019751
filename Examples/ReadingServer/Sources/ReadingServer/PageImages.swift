/// Pictures made for answers, the ones used last within a bound of bytes. What is asked for twice at once is made once, and no
/// more than a few are made at the same time, whatever is asked for.
actor PageImages {
  private struct Entry {
    var bytes: [UInt8]
    var lastUse: UInt64
  }
  private let capacity: Int
  private var slots: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var entries: [String: Entry] = [:]
  private var byteCount = 0
  private var clock: UInt64 = 0
  private var making: [String: Task<[UInt8], any Error>] = [:]

  /// - Parameters:
  ///   - capacity: Bytes that are kept.
  ///   - slots: How many pictures are made at the same time.
  init(capacity: Int = 64 << 20, slots: Int) {
    self.capacity = capacity
    self.slots = slots
  }

  /// The picture of a name, made if it is not there.
  func image(_ name: String, _ make: @escaping @Sendable () async throws -> [UInt8]) async throws -> [UInt8] {
    clock += 1
    if entries[name] != nil {
      entries[name]?.lastUse = clock
      return entries[name]?.bytes ?? []
    }
    if let task = making[name] { return try await task.value }
    let task = Task {
      await acquire()
      defer { release() }
      return try await make()
    }
    making[name] = task
    defer { making[name] = nil }
    let bytes = try await task.value
    keep(bytes, name)
    return bytes
  }

  private func keep(_ bytes: [UInt8], _ name: String) {
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

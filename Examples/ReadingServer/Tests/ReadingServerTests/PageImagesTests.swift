import FoundationEssentials
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ReadingServer

@Suite struct PageImagesTests {
  @Test func `A picture that all have given up is not made`() async throws {
    let images = PageImages(capacity: 1 << 20, slots: 1)
    let hasBegun = AsyncStream<Void>.makeStream()
    let made = Mutex(0)
    let make: @Sendable () async throws -> Data = {
      hasBegun.continuation.yield()
      try await Task.sleep(for: .seconds(60))
      made.withLock { $0 += 1 }
      return Data([1])
    }
    let first = Task { try await images.image("a", make) }
    for await _ in hasBegun.stream { break }
    // One that waits for its turn is not begun either.
    let second = Task { try await images.image("b") { Data([2]) } }
    second.cancel()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // The turn has been given back, and the name is free.
    #expect(try await images.image("a") { Data([3]) } == Data([3]))
    #expect(made.withLock { $0 } == 0)
  }

  @Test func `A picture that somebody still waits for is made once`() async throws {
    let images = PageImages(capacity: 1 << 20, slots: 1)
    let (hasBegun, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let made = Mutex(0)
    let make: @Sendable () async throws -> Data = {
      hasBegun.continuation.yield()
      for await _ in mayEnd.stream { break }
      try Task.checkCancellation()
      made.withLock { $0 += 1 }
      return Data([1])
    }
    let first = Task { try await images.image("a", make) }
    for await _ in hasBegun.stream { break }
    let second = Task { try await images.image("a", make) }
    try await Task.sleep(for: .milliseconds(50))
    first.cancel()
    try await Task.sleep(for: .milliseconds(50))
    mayEnd.continuation.yield()
    #expect(try await second.value == Data([1]))
    #expect(try await images.image("a", make) == Data([1]) && made.withLock { $0 } == 1)
  }

  @Test func `A client that hangs up is noticed`() throws {
    let watch = ConnectionWatch()
    let channel = EmbeddedChannel(handler: watch)
    let calls = Mutex<[Int]>([])
    let call: @Sendable (Int) -> Void = { number in calls.withLock { $0.append(number) } }
    let done = watch.add { call(1) }
    _ = watch.add { call(2) }
    watch.remove(done)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(calls.withLock { $0 } == [2])
    // Too late to wait for.
    _ = watch.add { call(3) }
    #expect(calls.withLock { $0 } == [2, 3])
  }
}

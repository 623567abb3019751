import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// The surroundings of a request: the connection it came by.
struct ReadingContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  private let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Does something for as long as the client waits for it: when it goes away, as browsers do with pictures that are needed no
  /// more, the task is cancelled.
  func whileClientWaits<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    guard let watch = try? await channel.pipeline.handler(type: ConnectionWatch.self).get() else {
      return try await body()
    }
    let task = Task { try await body() }
    let number = watch.add { task.cancel() }
    defer { watch.remove(number) }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// Notices that the client of a connection has gone.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = Any

  private struct State {
    var hasGone = false
    var count = 0
    var waiting: [Int: @Sendable () -> Void] = [:]
  }
  private let state = Mutex(State())

  /// Has something done when the client goes; at once if it has gone.
  ///
  /// - Returns: A number by which it is given up.
  func add(_ action: @escaping @Sendable () -> Void) -> Int {
    let (number, hasGone) = state.withLock { state in
      state.count += 1
      if !state.hasGone { state.waiting[state.count] = action }
      return (state.count, state.hasGone)
    }
    if hasGone { action() }
    return number
  }

  func remove(_ number: Int) { state.withLock { _ = $0.waiting.removeValue(forKey: number) } }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The server lets clients close their half of a connection first: this is what closing a connection begins with.
    if case ChannelEvent.inputClosed = event { leave() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  private func leave() {
    let actions = state.withLock { state in
      defer { state.waiting = [:] }
      state.hasGone = true
      return state.waiting
    }
    for action in actions.values { action() }
  }
}

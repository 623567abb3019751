import BookOutput
import NIOCore
import NIOHTTP1
import NIOPosix
import Platform
import Synchronization

/// Serves a review over HTTP/1.1 until the process is to stop (SwiftNIO).
package struct ReviewServer: Sendable {
  /// Limits on the resources that clients may take.
  struct Limits: Sendable {
    /// Connections at once; others are closed.
    var connections = 128
    /// For a whole request to come, and for an answer to be taken.
    var request = TimeAmount.seconds(15)
    var response = TimeAmount.seconds(120)
    /// For the next request of a connection.
    var idle = TimeAmount.seconds(60)
    /// Bytes of an address.
    var address = 4096
  }

  private let routes: ReviewRoutes
  private let group: MultiThreadedEventLoopGroup
  private let threads: NIOThreadPool
  private let channel: any Channel
  /// The port that it listens to.
  package let port: Int

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - address: an address of this machine in digits.
  ///   - port: 0 takes any that is free.
  ///   - jobs: pages drawn at once.
  ///   - desk: made once the port is known, which is in the names that are answered to.
  package init(
    address: String, port: Int, jobs: Int, routes: (Int) throws(HarnessError) -> ReviewRoutes
  ) throws(HarnessError) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let threads = NIOThreadPool(numberOfThreads: max(2, jobs))
    let bound: (any Channel)?
    let holder = RoutesHolder()
    let count = ConnectionCount()
    do {
      bound = try ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 64)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
            try pipeline.addHandler(ReviewConnection(holder, threads, count, Limits()))
          }
        }
        .bind(host: address, port: port).wait()
    } catch {
      try? group.syncShutdownGracefully()
      throw HarnessError(73, "\(address), port \(port): nothing can be served there: \(error)")
    }
    guard let bound, let local = bound.localAddress?.port else {
      throw HarnessError(73, "\(address), port \(port): nothing can be served there")
    }
    let made = try routes(local)
    holder.routes.withLock { $0 = made }
    threads.start()
    channel = bound
    self.port = local
    self.group = group
    self.threads = threads
    self.routes = made
  }

  /// Serves until the process is told to stop.
  package func run() {
    while !Interruption.isRequested { usleep(100_000) }
    try? channel.close().wait()
    try? threads.syncShutdownGracefully()
    try? group.syncShutdownGracefully()
  }
}

/// The routes, once the port is known that they are answered at.
private final class RoutesHolder: Sendable {
  let routes = Lock<ReviewRoutes?>(nil)
}

private final class ConnectionCount: Sendable {
  let value = Atomic<Int>(0)
}

/// One connection: takes requests that are small and come in time, has each answered on another thread, and closes what does not
/// keep to that. Requests come one after the other (`configureHTTPServerPipeline`).
private final class ReviewConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let holder: RoutesHolder
  private let threads: NIOThreadPool
  private let count: ConnectionCount
  private let limits: ReviewServer.Limits
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  /// The timer that closes the connection if nothing happens before.
  private var deadline: Scheduled<Void>?
  private var isRefused = false

  init(_ holder: RoutesHolder, _ threads: NIOThreadPool, _ count: ConnectionCount, _ limits: ReviewServer.Limits) {
    self.holder = holder
    self.threads = threads
    self.count = count
    self.limits = limits
  }

  func channelActive(context: ChannelHandlerContext) {
    if count.value.add(1, ordering: .relaxed).newValue > limits.connections {
      context.close(promise: nil)
      return
    }
    wait(limits.request, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    count.value.subtract(1, ordering: .relaxed)
    deadline?.cancel()
    context.fireChannelInactive()
  }

  private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
      isRefused = false
      wait(limits.request, context)
      if head.uri.utf8.count > limits.address {
        refuse(414, "the address is too long", context)
      } else if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }),
        length > ReviewRoutes.maximumBody
      {
        refuse(413, "the request is too large", context)
      }
    case .body(let bytes):
      if isRefused { return }
      if body.count + bytes.readableBytes > ReviewRoutes.maximumBody {
        refuse(413, "the request is too large", context)
      } else {
        body += bytes.readableBytesView
      }
    case .end:
      guard let head, !isRefused else { return }
      self.head = nil
      answer(head, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func refuse(_ status: Int, _ text: String, _ context: ChannelHandlerContext) {
    isRefused = true
    write(.refusal(status, text), isHead: false, keepsAlive: false, context)
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = ReviewRequest(
      method: head.method.rawValue, target: head.uri, host: head.headers.first(name: "host"),
      origin: head.headers.first(name: "origin"), contentType: head.headers.first(name: "content-type"), body: body)
    body = []
    wait(limits.response, context)
    let isHead = head.method == .HEAD
    let keepsAlive = head.isKeepAlive
    let holder = holder
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    threads.runIfActive(eventLoop: context.eventLoop) {
      holder.routes.withLock { $0 }?.answer(request) ?? .refusal(503, "not ready yet")
    }.whenComplete { result in
      let (handler, context) = bound.value
      let response = (try? result.get()) ?? .refusal(503, "the server is going")
      handler.write(response, isHead: isHead, keepsAlive: keepsAlive, context)
    }
  }

  private func write(
    _ response: ReviewResponse, isHead: Bool, keepsAlive: Bool, _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    var headers = HTTPHeaders()
    headers.add(name: "content-type", value: response.type)
    headers.add(name: "content-length", value: String(response.body.count))
    headers.add(
      name: "cache-control", value: response.isLasting ? "private, max-age=31536000, immutable" : "no-store")
    headers.add(name: "x-content-type-options", value: "nosniff")
    // The address has the token in it.
    headers.add(name: "referrer-policy", value: "no-referrer")
    headers.add(name: "content-security-policy", value: "frame-ancestors 'none'")
    headers.add(name: "cross-origin-resource-policy", value: "same-origin")
    if let allow = response.allow { headers.add(name: "allow", value: allow) }
    if !keepsAlive { headers.add(name: "connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    wait(limits.response, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      let (handler, context) = bound.value
      if keepsAlive { handler.wait(handler.limits.idle, context) } else { context.close(promise: nil) }
    }
  }
}

import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Watches the framing of requests as they come off the wire, before they are parsed: what the parser lets pass, or waits for without
/// an end, ends the request here. Two lines `Host` are refused (RFC 9112, section 3.2), and a chunk that is announced to be larger
/// than any body may be (section 7.1) is answered at once and not waited for.
final class FramingGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private enum State {
    case head
    /// Bytes of the body that are still to come.
    case body(Int)
    /// The line that begins a chunk: its size as far as it has been read, which is over where something follows the digits.
    case chunkSize(Int, isOver: Bool)
    /// Bytes of a chunk that are still to come, its line's end included.
    case chunk(Int)
    /// Lines behind the last chunk: the bytes of the one that is being read.
    case trailers(Int)
    /// Nothing is looked at any more: the parser ends the connection, or it has another protocol.
    case through
    /// A fault was found: nothing more is let in.
    case refused
  }

  private let chunkLimit: Int
  private var state = State.head
  private var head: [UInt8] = []
  /// Of a head; the parser refuses longer ones.
  private static let longestHead = 128 << 10

  /// - Parameter chunkLimit: Bytes that a chunk may have.
  init(chunkLimit: Int) { self.chunkLimit = chunkLimit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var passed = unwrapInboundIn(data)
    if case .refused = state { return }
    var rest = passed
    var fault: (any Error)?
    while fault == nil, let length = next(in: rest, &fault) { rest.moveReaderIndex(forwardBy: length) }
    if let passed = passed.readSlice(length: passed.readableBytes - rest.readableBytes), passed.readableBytes > 0 {
      context.fireChannelRead(wrapInboundOut(passed))
    }
    guard let fault else { return }
    state = .refused
    context.fireErrorCaught(fault)
  }

  /// Goes on by one part of a message.
  ///
  /// - Returns: The bytes of the part, which are let through; nil where there are no more, or a fault was found.
  private func next(in buffer: ByteBuffer, _ fault: inout (any Error)?) -> Int? {
    let bytes = buffer.readableBytesView
    guard let first = bytes.first else { return nil }
    switch state {
    case .head: return nextOfHead(bytes, &fault)
    case .body(let rest):
      let length = min(rest, bytes.count)
      state = rest > length ? .body(rest - length) : .head
      return length
    case .chunk(let rest):
      let length = min(rest, bytes.count)
      state = rest > length ? .chunk(rest - length) : .chunkSize(0, isOver: false)
      return length
    case .chunkSize(let size, let isOver):
      if first == 0x0A {
        state = size > 0 ? .chunk(size + 2) : .trailers(0)
      } else if !isOver, let digit = Character(Unicode.Scalar(first)).hexDigitValue {
        guard size <= chunkLimit else {
          fault = Problem(.contentTooLarge, "A chunk of the request is larger than anything that is taken here.")
          return nil
        }
        state = .chunkSize(size * 16 + digit, isOver: false)
      } else {
        guard size <= chunkLimit else {
          fault = Problem(.contentTooLarge, "A chunk of the request is larger than anything that is taken here.")
          return nil
        }
        state = .chunkSize(size, isOver: true)
      }
      return 1
    case .trailers(let length):
      if first == 0x0A {
        state = length == 0 ? .head : .trailers(0)
      } else if first != 0x0D {
        state = .trailers(length + 1)
      }
      return 1
    case .through, .refused: return bytes.count
    }
  }

  /// The rest of a head, or a part of it: nothing of a faulty one's end is let through, so that it is never a request.
  private func nextOfHead(_ bytes: ByteBufferView, _ fault: inout (any Error)?) -> Int? {
    var length = 0
    for byte in bytes {
      length += 1
      // Empty lines before a request.
      if head.isEmpty, byte == 0x0D || byte == 0x0A { continue }
      head.append(byte)
      guard head.count < Self.longestHead else {
        state = .through
        return length
      }
      guard byte == 0x0A, Self.isEnd(head) else { continue }
      guard Self.values(of: "host", in: head).count < 2 else {
        fault = HTTPParserError.invalidHeaderToken
        return nil
      }
      state = Self.body(of: head)
      head = []
      return length
    }
    return length
  }

  /// The last line of a head is an empty one.
  private static func isEnd(_ head: [UInt8]) -> Bool {
    head.suffix(2) == [0x0A, 0x0A] || head.suffix(3) == [0x0A, 0x0D, 0x0A]
  }

  private static func values(of name: String, in head: [UInt8]) -> [String] {
    head.split(separator: 0x0A).dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: 0x3A) else { return nil }
      let field = String(decoding: line[..<colon], as: UTF8.self)
      guard field.filter({ !$0.isWhitespace }).lowercased() == name else { return nil }
      return String(decoding: line[(colon + 1)...], as: UTF8.self).filter { !$0.isWhitespace }.lowercased()
    }
  }

  /// What follows a head.
  private static func body(of head: [UInt8]) -> State {
    if let coding = values(of: "transfer-encoding", in: head).last {
      return coding.hasSuffix("chunked") ? .chunkSize(0, isOver: false) : .through
    }
    if !values(of: "upgrade", in: head).isEmpty { return .through }
    guard let length = values(of: "content-length", in: head).first else { return .head }
    guard let length = Int(length), length >= 0 else { return .through }
    return length == 0 ? .head : .body(length)
  }
}

/// Puts a guard before the parser of a connection. Handlers of the server's own come behind it.
final class FramingGuardInstaller: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = Any
  private let chunkLimit: Int

  init(chunkLimit: Int) { self.chunkLimit = chunkLimit }

  func handlerAdded(context: ChannelHandlerContext) {
    try? context.pipeline.syncOperations.addHandler(FramingGuard(chunkLimit: chunkLimit), position: .first)
  }
}

import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ReadingServer

@Suite struct FramingGuardTests {
  /// The bytes that are let through, and the status of the answer to what is not; in pieces of some bytes each.
  private static func passed(_ text: String, pieces: Int) throws -> (text: String, fault: (any Error)?) {
    let channel = EmbeddedChannel(handler: FramingGuard(chunkLimit: 1000))
    defer { _ = try? channel.finish() }
    var fault: (any Error)?
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      do { try channel.writeInbound(ByteBuffer(bytes: bytes.prefix(pieces))) } catch { fault = fault ?? error }
      bytes = bytes.dropFirst(pieces)
    }
    var passed = ""
    while let part = try channel.readInbound(as: ByteBuffer.self) { passed += String(buffer: part) }
    return (passed, fault)
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test(arguments: [1, 2, 7, 1000]) func `What is well framed goes through as it is`(pieces: Int) throws {
    for text in [
      "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: b\r\n\r\n",
      "\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 22\r\n\r\nHost: b\r\nHost: c\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
      Self.chunked + "3e8;name=ff\r\n" + String(repeating: "x", count: 1000)
        + "\r\n0\r\nTrailer: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
      Self.chunked + "5\r\nfffff\r\n0\r\n\r\n",
    ] {
      let passed = try Self.passed(text, pieces: pieces)
      #expect(passed.text == text && passed.fault == nil, "\(text.prefix(90))")
    }
  }

  @Test(arguments: [1, 7, 1000]) func `Two hosts make no request`(pieces: Int) throws {
    for head in ["Host: a\r\nHost: b", "Host: a\r\nhost: a", "Host: a\r\nX: y\r\nHOST : b"] {
      let passed = try Self.passed(
        "GET / HTTP/1.1\r\n\(head)\r\n\r\nGET /b HTTP/1.1\r\nHost: b\r\n\r\n", pieces: pieces)
      #expect(passed.fault is HTTPParserError && !passed.text.contains("\r\n\r\n"), "\(head)")
    }
  }

  @Test(arguments: [1, 7, 1000]) func `A chunk without measure is too large at once`(pieces: Int) throws {
    for size in ["3e9", "7fffffffffffffff", "ffffffffffffffffffffffff", "00ffffffff;a=b"] {
      let passed = try Self.passed(Self.chunked + "1\r\nx\r\n\(size)\r\nsome bytes", pieces: pieces)
      #expect((passed.fault as? Problem)?.status == .contentTooLarge && !passed.text.contains("some bytes"), "\(size)")
    }
  }

  @Test func `Both are answered over the wire`() async throws {
    let shelf = try TestShelf([])
    let server = try shelf.server()
    try await server.application(logger: Logger(label: "test")).test(.live) { client in
      let port = try #require(client.port)
      let upload =
        "POST /api/books?name=a.txt HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
      for (request, status) in [
        ("GET /api/books HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
        ("GET /api/books HTTP/1.1\r\nHost: localhost\r\n\r\n", 200), (upload + "no number\r\n", 400),
        (upload + "7fffffffffffffff\r\nabc", 413), (upload + "fffffffffffffffffffff\r\nabc", 413),
        (upload + "3\r\nabc\r\n7fffffff\r\nabc", 413),
      ] {
        let answer = try Self.exchange(request, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(answer.prefix(200))")
      }
    }
    await server.close()
  }

  /// What a server answers first to bytes, within some seconds.
  static func exchange(_ request: String, port: Int) throws -> String {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(isConnected == 0)
    #expect(request.withCString { send(socket, $0, request.utf8.count, 0) } == request.utf8.count)
    var answer = [UInt8](repeating: 0, count: 512)
    let count = recv(socket, &answer, answer.count, 0)
    return String(decoding: answer.prefix(Swift.max(0, count)), as: UTF8.self)
  }
}

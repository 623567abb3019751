import Foundation
import Testing
import Typesetting

@testable import SnapshotHarness

/// A run of the little corpus in which two kinds of change are open, and what reviews it.
struct ReviewedRun {
  let corpus: LittleCorpus
  let store: SnapshotStore
  let session: Session
  let desk: ReviewDesk
  let routes: ReviewRoutes

  static let token = "0123456789abcdef"
  static let host = "localhost:80"

  init() throws {
    corpus = try LittleCorpus()
    store = SnapshotStore(corpus.folder["store"])
    let old = try corpus.session("old")
    try old.render()
    try store.record(old.units, of: old.run, manifest: old.manifest)
    session = try corpus.session("run", css: "p { margin-left: 3px } b { color: red }")
    try session.render()
    try Self.compare(session, store)
    desk = try ReviewDesk(session.run.path, store: store, reviewer: "Ada \"Lovelace\"")
    routes = ReviewRoutes(desk, token: Self.token, hosts: [Self.host])
  }

  static func compare(_ session: Session, _ store: SnapshotStore) throws {
    var comparison = try Verification.compare(try Reference(store.path), .run(session.run, session.manifest))
    try Decisions(contentsOf: session.manifest.decisionsPath).judge(&comparison)
    try Files.write(json: comparison, to: session.run.comparisonPath)
  }

  func get(_ path: String, method: String = "GET", host: String? = ReviewedRun.host) -> ReviewResponse {
    routes.answer(ReviewRequest(method: method, target: path, host: host))
  }

  func post(
    _ action: [String: Any], type: String = "application/json", origin: String? = nil
  ) throws -> ReviewResponse {
    let body = try JSONSerialization.data(withJSONObject: action)
    return routes.answer(
      ReviewRequest(
        method: "POST", target: "/\(Self.token)/decisions", host: Self.host, origin: origin, contentType: type,
        body: Array(body)))
  }

  struct State: Decodable {
    struct Entry: Decodable {
      var kind: String
      var text: String
      var reason: String?
      var by: String
    }
    struct Cluster: Decodable {
      var decision: String?
      var assignee: String?
      var seen: Int
      var entries: [Entry]
    }
    var undecided: Int
    var clusters: [String: Cluster]
  }

  static func state(_ response: ReviewResponse) throws -> State {
    try JSONDecoder().decode(State.self, from: Data(response.body))
  }

  var clusters: [Cluster] {
    get throws { try #require(session.run.comparison()).clusters }
  }
}

@Suite(.enabled(if: LittleCorpus.canRun, "\(LittleCorpus.needs)")) struct ReviewServerTests {
  @Test func `Two reviewers decide at once and the later one is told`() throws {
    let review = try ReviewedRun()
    let clusters = try review.clusters
    #expect(clusters.count == 2)
    let id = clusters[0].id
    let first = try review.post([
      "action": "accepted", "cluster": id, "by": "Ada", "text": "as\n wanted", "seen": 0,
    ])
    #expect(first.status == 200)
    let state = try ReviewedRun.state(first)
    #expect(state.undecided == 1)
    #expect(state.clusters[id]?.decision == "accepted")
    let second = try review.post(["action": "regression", "cluster": id, "by": "Bo", "text": "too far", "seen": 0])
    #expect(second.status == 409)
    #expect(try ReviewedRun.state(second).clusters[id]?.entries.map(\.by) == ["Ada"])
    // A reviewer who has seen it may.
    #expect(
      try review.post(["action": "regression", "cluster": id, "by": "Bo", "text": "too far", "seen": 1]).status == 200)
    let decisions = try Decisions(contentsOf: review.session.manifest.decisionsPath)
    #expect(decisions.list.map(\.by) == ["Ada", "Bo"])
    #expect(decisions.list.map(\.reason) == ["as wanted", "too far"])
    #expect(decisions.list.allSatisfy { $0.time?.count == 20 && $0.date == $0.time.map { String($0.prefix(10)) } })
    // Neither moved a baseline, since the other kind of change is open on the same pages.
    #expect(decisions.list.allSatisfy { $0.moved == nil })
  }

  @Test func `What is accepted wholly moves the baseline, and nothing else does`() throws {
    let review = try ReviewedRun()
    let before = review.store.texts()
    let clusters = try review.clusters
    for cluster in clusters.dropLast() {
      _ = try review.post(["action": "accepted", "cluster": cluster.id, "by": "Ada", "text": "r", "seen": 0])
    }
    #expect(review.store.texts() == before)
    let last = try #require(clusters.last)
    _ = try review.post(["action": "accepted", "cluster": last.id, "by": "Ada", "text": "r", "seen": 0])
    #expect(review.store.texts() != before)
    try ReviewedRun.compare(review.session, review.store)
    #expect(try review.clusters.isEmpty)
  }

  @Test func `Who accepts after the baseline was moved by others is told so, and nothing moves`() throws {
    let review = try ReviewedRun()
    let clusters = try review.clusters
    for cluster in clusters.dropLast() {
      _ = try review.post(["action": "accepted", "cluster": cluster.id, "by": "Ada", "text": "r", "seen": 0])
    }
    let other = try review.corpus.session("other", css: "p { margin-left: 9px }")
    try other.render()
    try review.store.record(other.units, of: other.run, manifest: other.manifest)
    let moved = review.store.texts()
    let last = try #require(clusters.last)
    let answer = try review.post(["action": "accepted", "cluster": last.id, "by": "Ada", "text": "r", "seen": 0])
    #expect(answer.status == 409)
    #expect(review.store.texts() == moved)
  }

  @Test func `What is taken back is open again`() throws {
    let review = try ReviewedRun()
    let id = try review.clusters[0].id
    for (seen, action) in ["expected", "reopened", "skip"].enumerated() {
      let answer = try review.post(["action": action, "cluster": id, "by": "Ada", "text": "r", "seen": seen])
      let decision = try ReviewedRun.state(answer).clusters[id]?.decision
      #expect(decision == (action == "reopened" ? nil : action))
    }
  }

  @Test func `Comments and assignments are lines beside decisions and decide nothing`() throws {
    let review = try ReviewedRun()
    let id = try review.clusters[1].id
    #expect(
      try review.post(["action": "comment", "cluster": id, "by": "Ada", "text": "why?", "seen": 0]).status == 200)
    #expect(try review.post(["action": "assign", "cluster": id, "by": "Ada", "text": "Bo", "seen": 1]).status == 200)
    // The state is read from the file, which other programs write to.
    let state = try ReviewedRun.state(review.get("/\(ReviewedRun.token)/state"))
    #expect(state.undecided == 2)
    #expect(state.clusters[id]?.assignee == "Bo")
    #expect(state.clusters[id]?.entries.map(\.kind) == ["comment", "assignment"])
    let decisions = try Decisions(contentsOf: review.session.manifest.decisionsPath)
    #expect(decisions.list.isEmpty && decisions.notes.count == 2)
  }

  @Test func `A decision on one page leaves the others of its cluster open`() throws {
    let review = try ReviewedRun()
    let cluster = try #require(review.clusters.first { $0.members.count > 3 })
    let member = cluster.members[0]
    let page = "\(member.key.book):\(member.key.profile):\(member.newPage ?? 0)"
    _ = try review.post(["action": "accepted", "cluster": cluster.id, "page": page, "by": "A", "text": "r", "seen": 0])
    #expect(try ReviewedRun.state(review.get("/\(ReviewedRun.token)/state")).undecided == 2)
    let decision = try #require(Decisions(contentsOf: review.session.manifest.decisionsPath).list.first)
    #expect(decision.signature == cluster.signature && decision.scope.count == 1)
    // A page that is rejected after its cluster was accepted closes the gate.
    _ = try review.post(["action": "accepted", "cluster": cluster.id, "by": "A", "text": "r", "seen": 1])
    let answer = try review.post([
      "action": "regression", "cluster": cluster.id, "page": page, "by": "A", "text": "r", "seen": 2,
    ])
    #expect(try ReviewedRun.state(answer).clusters[cluster.id]?.decision == "regression")
  }

  @Test func `Pages are drawn when they are asked for`() throws {
    let review = try ReviewedRun()
    let root = "/\(ReviewedRun.token)"
    let comparison = try #require(review.session.run.comparison())
    let unit = try #require(comparison.units.first { $0.pages.count > 2 })
    // The last one is in no sample.
    let number = try #require(unit.pages.last?.newPage)
    let answer = review.get("\(root)/pages/\(unit.key.book)%3A\(unit.key.profile)%3A\(number)")
    #expect(answer.status == 200)
    struct Drawn: Decodable {
      var old: String
      var new: String
      var oldLines: [[JSONValue]]
    }
    let drawn = try JSONDecoder().decode(Drawn.self, from: Data(answer.body))
    #expect(drawn.old != drawn.new && !drawn.oldLines.isEmpty)
    for name in [drawn.old, drawn.new] {
      let image = review.get("\(root)/images/\(name)")
      #expect(image.status == 200 && image.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
    #expect(review.get("\(root)/pages/\(unit.key.book)%3A\(unit.key.profile)%3A999").status == 404)
  }

  /// The kind of a line of a page: text or number.
  enum JSONValue: Decodable {
    case text(String)
    case number(Double)
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self = .text(text)
      } else {
        self = .number(try value.decode(Double.self))
      }
    }
  }

  @Test func `Addresses lead to what they name and nowhere else`() throws {
    let review = try ReviewedRun()
    for (method, target, status) in [
      ("GET", "/", 403), ("GET", "/0123456789abcdee/", 403), ("GET", "/0123456789abcdef", 403),
      ("GET", "/0123456789abcdef/", 200), ("GET", "/0123456789abcdef/?x=y", 200),
      ("HEAD", "/0123456789abcdef/state", 200),
      ("POST", "/0123456789abcdef/", 405), ("GET", "/0123456789abcdef/decisions", 405),
      ("GET", "/0123456789abcdef/../../../etc/passwd", 404),
      ("GET", "/0123456789abcdef/images/..%2f..%2fmanifest.json", 404),
      ("GET", "/0123456789abcdef/images/%2e%2e/manifest.json", 404),
      ("GET", "/0123456789abcdef/images/page-0123456789abcdef.png%00", 404),
      ("GET", "/0123456789abcdef/images//etc/passwd", 404), ("GET", "/0123456789abcdef/pages/%ff%fe", 404),
      ("GET", "/0123456789abcdef/pages/../state", 404), ("GET", "0123456789abcdef/", 403), ("GET", "", 403),
      ("DELETE", "/0123456789abcdef/images/x", 405),
    ] { #expect(review.get(target, method: method).status == status, "\(method) \(target)") }
  }

  @Test func `Decisions of other sites and senseless ones are refused`() throws {
    let review = try ReviewedRun()
    let id = try review.clusters[0].id
    let sound: [String: Any] = ["action": "accepted", "cluster": id, "by": "A", "text": "r", "seen": 0]
    func with(_ name: String, _ value: Any) -> [String: Any] { sound.merging([name: value]) { $1 } }
    #expect(try review.post(sound, type: "text/plain").status == 415)
    #expect(try review.post(sound, origin: "http://elsewhere.example").status == 403)
    #expect(try review.post(with("text", String(repeating: "x", count: 70_000))).status == 413)
    #expect(try review.post(with("text", String(repeating: "x", count: 5000))).status == 400)
    for (name, value) in [
      ("action", "moved"), ("cluster", "nosuch"), ("by", " \n"), ("text", "\u{7}"), ("page", "x"), ("page", "one:p:x"),
      ("page", "nosuch:ereader:1"),
    ] {
      #expect(try review.post(with(name, value)).status == 400, "\(name) \(value)")
    }
    #expect(try review.post(["action": "accepted"]).status == 400)
    #expect(review.get("/\(ReviewedRun.token)/", host: "evil.example:80").status == 421)
    #expect(review.get("/\(ReviewedRun.token)/", host: nil).status == 421)
    #expect(!Files.exists(review.session.manifest.decisionsPath))
    #expect(try review.post(sound, origin: "http://\(ReviewedRun.host)").status == 200)
  }

  // MARK: The process

  /// A server as a process of its own, and what it is asked over a socket.
  private final class Server {
    let process = Process()
    let port: Int
    let root: String

    init(_ run: String) throws {
      process.executableURL = URL(fileURLWithPath: try #require(LittleCorpus.program))
      process.arguments = ["snapshot", "serve", run]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      var line: [UInt8] = []
      while line.last != 0x0A {
        let next = output.fileHandleForReading.readData(ofLength: 1)
        if next.isEmpty { break }
        line += next
      }
      let address = try #require(URL(string: String(decoding: line.dropLast(), as: UTF8.self)))
      #expect(address.host == "127.0.0.1")
      port = try #require(address.port)
      root = address.path
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
    }

    /// A connection over which something was sent.
    func connect(_ text: String) throws -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
      }
      try #require(connected == 0)
      let bytes = Array(text.utf8)
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      return descriptor
    }

    /// The answer until the server closes the connection.
    func ask(_ text: String) throws -> String {
      let descriptor = try connect(text)
      defer { close(descriptor) }
      var answer: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { break }
        answer += buffer[..<count]
      }
      return String(decoding: answer, as: UTF8.self)
    }
  }

  @Test func `Decisions are signed with the name that Git knows unless the reader gives another`() throws {
    let page = String(decoding: try ReviewedRun().desk.page, as: UTF8.self)
    #expect(page.contains(#""served":{"reviewer":"Ada \"Lovelace\""}"#))
  }

  @Test func `The command serves on loopback, refuses what is hostile and goes on`() throws {
    let review = try ReviewedRun()
    let server = try Server(review.session.run.path)
    let head = "Host: 127.0.0.1:\(server.port)\r\nConnection: close\r\n"
    // Clients that never say what they want hold nobody up.
    let slow = try (0..<20).map { _ in try server.connect("GET /\(server.root)/state HTTP/1.1\r\nHost: ") }
    defer { for descriptor in slow { close(descriptor) } }
    let page = try server.ask("GET \(server.root)/ HTTP/1.1\r\n\(head)\r\n")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(page.contains("referrer-policy: no-referrer") && page.contains("\"served\":{"))
    #expect(try server.ask("GET / HTTP/1.1\r\n\(head)\r\n").hasPrefix("HTTP/1.1 403"))
    #expect(
      try server.ask("GET \(server.root)/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").contains(
        " 421 "))
    #expect(
      try server.ask("POST \(server.root)/decisions HTTP/1.1\r\n\(head)Content-Length: 999999999\r\n\r\n").contains(
        " 413 "))
    #expect(
      try server.ask("GET \(server.root)/\(String(repeating: "x", count: 5000)) HTTP/1.1\r\n\(head)\r\n").contains(
        " 414 "))
    #expect(!(try server.ask("nonsense\r\n\r\n")).contains(" 200 "))
    let text =
      "{\"action\":\"comment\",\"cluster\":\"\(try review.clusters[0].id)\",\"by\":\"A\",\"text\":\"b\",\"seen\":0}"
    let answer = try server.ask(
      "POST \(server.root)/decisions HTTP/1.1\r\n\(head)Content-Type: application/json\r\n"
        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    #expect(try Decisions(contentsOf: review.session.manifest.decisionsPath).notes.count == 1)
  }

  /// The document of an address once its scripts have run in a browser.
  private func document(_ address: String, in folder: TestFolder) throws -> String {
    let output = folder["dom.html"]
    let status = system(
      "\(Browser.path ?? "") --headless --no-sandbox --disable-gpu --user-data-dir=\(folder["profile"]) "
        + "--virtual-time-budget=8000 --dump-dom '\(address)' >\(output) 2>/dev/null")
    #expect(status == 0)
    return try #require(Files.text(output))
  }

  @Test(.enabled(if: Browser.path != nil, "Chromium is not installed"))
  func `A browser shows what was said, and pages that nobody has drawn`() throws {
    let review = try ReviewedRun()
    let cluster = try review.clusters[0]
    _ = try review.post(["action": "comment", "cluster": cluster.id, "by": "Ada", "text": "<b>why</b>?", "seen": 0])
    let server = try Server(review.session.run.path)
    let address = "http://127.0.0.1:\(server.port)\(server.root)/"
    let overview = try document(address, in: review.corpus.folder)
    #expect(overview.contains("2 open") && overview.contains("&lt;b&gt;why&lt;/b&gt;?"))
    #expect(overview.contains("aria-keyshortcuts=\"a\""))
    let comparison = try #require(review.session.run.comparison())
    let unit = try #require(comparison.units.first { $0.pages.count > 2 })
    let number = try #require(unit.pages.last?.newPage)
    let page = try document(
      "\(address)#page=\(unit.key.book):\(unit.key.profile):\(number)", in: review.corpus.folder)
    #expect(page.contains("src=\"images/page-"))
  }

  @Test func `A listener beyond loopback needs a token`() throws {
    let program = try #require(LittleCorpus.program)
    for arguments in [
      ["--listen", "0.0.0.0", "--no-token"], ["--token", "short"], ["--token", "../../../../../../x"],
    ] {
      let outcome = ChildProcess([program, "snapshot", "serve", "nowhere"] + arguments, folder: "/tmp").run()
      #expect(outcome.end == .exited(64))
    }
  }
}

import FoundationEssentials
import Platform
import Primitives

/// A request to the server of reviews, whatever carried it.
struct ReviewRequest: Sendable {
  var method: String
  /// With its query.
  var target: String
  var host: String?
  var origin: String?
  var contentType: String?
  var body: [UInt8] = []
}

struct ReviewResponse: Sendable {
  var status: Int
  var type = "text/plain; charset=utf-8"
  var body: [UInt8]
  var allow: String?
  /// The same address always gives the same bytes.
  var isLasting = false

  static func refusal(_ status: Int, _ text: String) -> ReviewResponse {
    ReviewResponse(status: status, body: Array((text + "\n").utf8))
  }

  fileprivate static func json(_ body: [UInt8], status: Int = 200) -> ReviewResponse {
    ReviewResponse(status: status, type: "application/json", body: body)
  }
}

/// The answers of the server of reviews. Addresses are below one that only those know who were told.
package struct ReviewRoutes: Sendable {
  private let desk: ReviewDesk
  /// Empty for none.
  private let token: [UInt8]
  /// The names that browsers may know the server by; nil is any.
  private let hosts: [String]?

  /// Bytes of a request's body.
  static let maximumBody = 64 << 10

  package init(_ desk: ReviewDesk, token: String, hosts: [String]? = nil) {
    self.desk = desk
    self.token = Array(token.utf8)
    self.hosts = hosts
  }

  /// A word that nobody guesses.
  package static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in hexadecimal(generator.next()) }.joined()
  }

  /// The path of the page below a token.
  package static func root(_ token: String) -> String { token.isEmpty ? "/" : "/\(token)/" }

  /// Draws, reads and writes files: not for a thread that has others to serve.
  func answer(_ request: ReviewRequest) -> ReviewResponse {
    if let hosts {
      // Another name that leads here is another site's (DNS rebinding).
      guard let host = request.host, hosts.contains(host.lowercased()) else { return .refusal(421, "not this server") }
    }
    guard let path = localPath(request.target) else { return .refusal(403, "the address has no token, or another") }
    switch (path.first, path.count) {
    case (""?, 1):
      return allowing("GET", request) { .init(status: 200, type: "text/html; charset=utf-8", body: desk.page) }
    case ("state"?, 1):
      return allowing("GET", request) { answer { () throws(HarnessError) in .json(Files.json(try desk.current())) } }
    case ("decisions"?, 1): return allowing("POST", request) { decide(request) }
    case ("pages"?, 2):
      return allowing("GET", request) { answer { () throws(HarnessError) in found(try desk.drawing(path[1])) } }
    case ("elements"?, 2): return allowing("GET", request) { found(desk.elements(path[1])) }
    case ("images"?, 2): return allowing("GET", request) { image(path[1]) }
    default: return .refusal(404, "there is nothing here")
    }
  }

  /// The parts of a path behind the token, their escapes resolved; nil where the token is wrong.
  private func localPath(_ target: String) -> [String]? {
    var parts = target.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)[...]
    guard parts.popFirst() == "" else { return nil }
    if !token.isEmpty {
      guard let word = parts.popFirst(), isToken(word), !parts.isEmpty else { return nil }
    }
    return parts.map { PercentEncoding.decoded(String($0)) }
  }

  /// In a time that does not tell how much of it is right.
  private func isToken(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    guard bytes.count == token.count else { return false }
    return zip(bytes, token).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func allowing(_ method: String, _ request: ReviewRequest, _ body: () -> ReviewResponse) -> ReviewResponse {
    if request.method == method || (request.method == "HEAD" && method == "GET") { return body() }
    var response = ReviewResponse.refusal(405, "this address takes \(method)")
    response.allow = method == "GET" ? "GET, HEAD" : method
    return response
  }

  private func answer(_ body: () throws(HarnessError) -> ReviewResponse) -> ReviewResponse {
    do throws(HarnessError) { return try body() } catch {
      // The request cannot be met, the baseline is another by now, or a file cannot be read or written.
      let status = error.code == 64 ? 400 : error.isMoved ? 409 : 500
      return .json(Files.json(["error": error.description]), status: status)
    }
  }

  private func found(_ body: [UInt8]?) -> ReviewResponse {
    body.map { .json($0) } ?? .refusal(404, "no page of that name has changed")
  }

  /// An image by its name, which `PageImages` gave it: nothing else of the disk has such a name.
  private func image(_ name: String) -> ReviewResponse {
    let digits = name.utf8.dropFirst(5).dropLast(4)
    guard name.hasPrefix("page-"), name.hasSuffix(".png"), digits.count == 16,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let bytes = Files.read(Files.join(desk.images, name))
    else { return .refusal(404, "there is no such image") }
    return ReviewResponse(status: 200, type: "image/png", body: bytes, isLasting: true)
  }

  private func decide(_ request: ReviewRequest) -> ReviewResponse {
    // Forms of other sites send neither this type nor the origin.
    guard request.contentType?.lowercased().hasPrefix("application/json") == true else {
      return .refusal(415, "a decision is JSON")
    }
    if let origin = request.origin, let host = request.host, !["http://\(host)", "https://\(host)"].contains(origin) {
      return .refusal(403, "the decision comes from another site")
    }
    guard request.body.count <= Self.maximumBody else { return .refusal(413, "the decision is too large") }
    guard let action = try? JSONDecoder().decode(ReviewAction.self, from: Data(request.body)) else {
      return .refusal(400, "this is no decision")
    }
    return answer { () throws(HarnessError) in
      switch try desk.perform(action) {
      case .done(let state): ReviewResponse.json(Files.json(state))
      case .conflict(let state): .json(Files.json(state), status: 409)
      }
    }
  }
}

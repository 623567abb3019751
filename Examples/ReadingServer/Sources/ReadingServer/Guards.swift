import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOHTTP1
import Typesetting

extension HTTPField.Name {
  static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
  static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")!
  static let fetchSite = Self("Sec-Fetch-Site")!
  static let frameOptions = Self("X-Frame-Options")!
  static let host = Self("Host")!
  static let referrerPolicy = Self("Referrer-Policy")!
}

/// Puts the headers of a careful page on every answer, and makes answers of all errors.
struct AnswerGuard<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let problem as Problem {
      response = try problem.response(from: request, context: context)
    } catch let error as HTTPError {
      response = try Self.problem(for: error).response(from: request, context: context)
    } catch let error as any HTTPResponseError {
      response = try Problem(error.status, "The request cannot be read.").response(from: request, context: context)
    } catch is HTTPParserError {
      // Found out while the body was being read.
      response = try Problem(.badRequest, "The request cannot be read.").response(from: request, context: context)
    } catch PageError.noSuchPage {
      response = try Problem.noSuchPage.response(from: request, context: context)
    } catch is CancellationError, PageError.cancelled {
      // Nobody is there to read it.
      response = try Problem(.init(code: 499, reasonPhrase: "Client Closed Request"), "The request was given up.")
        .response(from: request, context: context)
    } catch {
      context.logger.error("\(request.method) \(request.uri.path): \(error)")
      response = try Problem(.internalServerError, "Something went wrong here. The server's log says what.")
        .response(from: request, context: context)
    }
    response.headers[.contentSecurityPolicy] =
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "no-referrer"
    response.headers[.frameOptions] = "DENY"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  private static func problem(for error: HTTPError) -> Problem {
    switch error.status {
    case .notFound: Problem(.notFound, "There is nothing at this address.")
    case .contentTooLarge: Problem(.contentTooLarge, "The request is too large.")
    default: Problem(error.status, error.body ?? error.status.reasonPhrase)
    }
  }
}

/// Refuses requests under a name that is not this server's, which pages of others make by DNS rebinding.
struct HostGuard<Context: RequestContext>: RouterMiddleware {
  /// Beside `localhost` and addresses in digits, which no name server can turn.
  let names: Set<String>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let host = request.head.authority ?? request.headers[.host], accepts(host) else {
      throw Problem(.misdirectedRequest, "This server does not go by that name. Name it with --allow-host.")
    }
    return try await next(request, context)
  }

  func accepts(_ authority: String) -> Bool {
    var host = authority.lowercased()
    if host.hasPrefix("[") {
      // IPv6
      guard let end = host.firstIndex(of: "]") else { return false }
      return host[host.startIndex...end].dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    if let colon = host.lastIndex(of: ":") { host = String(host[..<colon]) }
    if host == "localhost" || names.contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// Lets only this server's own pages change anything: what changes must come as JSON or as a file's bytes, which pages of
/// others cannot send without asking, and from the same origin where the browser says from where.
struct OriginGuard<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method != .get, request.method != .head else { return try await next(request, context) }
    if let site = request.headers[.fetchSite], site != "same-origin" {
      throw Problem(.forbidden, "Only pages of this server may change anything.")
    }
    if let origin = request.headers[.origin] {
      let host = request.head.authority ?? request.headers[.host] ?? ""
      guard origin == "http://\(host)" || origin == "https://\(host)" else {
        throw Problem(.forbidden, "Only pages of this server may change anything.")
      }
    }
    let type = (request.headers[.contentType] ?? "").prefix { $0 != ";" }.lowercased()
    guard type == "application/json" || type == "application/octet-stream" else {
      throw Problem(.unsupportedMediaType, "Send application/json, or a book as application/octet-stream.")
    }
    return try await next(request, context)
  }
}

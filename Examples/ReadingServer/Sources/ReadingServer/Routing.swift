import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

typealias Handler = @Sendable (Request, ReadingContext) async throws -> Response

extension Router<ReadingContext> {
  /// The handlers of one address; other methods are answered by what there is.
  func on(_ path: RouterPath, _ handlers: [(HTTPRequest.Method, Handler)]) {
    let known = handlers.map(\.0)
    for (method, handler) in handlers { on(path, method: method) { try await handler($0, $1) } }
    let allowed = (known + (known.contains(.get) ? [.head] : [])).map(\.rawValue).joined(separator: ", ")
    for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options, .trace, .connect]
    where !known.contains(method) {
      on(path, method: method) { request, context -> Response in
        var response = try Problem(.methodNotAllowed, "This address takes \(allowed).").response(
          from: request, context: context)
        response.headers[.allow] = allowed
        return response
      }
    }
  }
}

/// Makes the answer that carries a value.
func json(_ value: some Encodable, _ request: Request, _ context: ReadingContext) throws -> Response {
  try context.responseEncoder.encode(value, from: request, context: context)
}

extension Request {
  /// Reads the body as JSON.
  func value<Value: Decodable>(_: Value.Type, _ context: ReadingContext) async throws -> Value {
    let body: ByteBuffer
    do {
      body = try await self.body.collect(upTo: 64 << 10)
    } catch is NIOTooManyBytesError {
      throw Problem(.contentTooLarge, "The request is too large.")
    }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
    } catch let error as DecodingError {
      throw Problem(.badRequest, Self.clause(error))
    }
  }

  private static func clause(_ error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "The body" : "“\(path.map(\.stringValue).joined(separator: "."))”"
    }
    switch error {
    case .keyNotFound(let key, _): return "“\(key.stringValue)” is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(name(context.codingPath)) has the wrong type."
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "\(name(context.codingPath)) has no such value."
    default: return "The body is no JSON."
    }
  }
}

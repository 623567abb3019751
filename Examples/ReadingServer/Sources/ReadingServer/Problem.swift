import HTTPTypes
import Hummingbird
import HummingbirdCore

/// A fault of a request: a status code and one clear sentence for the reader.
struct Problem: Error, Equatable {
  var status: HTTPResponse.Status
  var message: String

  init(_ status: HTTPResponse.Status, _ message: String) {
    self.status = status
    self.message = message
  }

  static let noSuchBook = Problem(.notFound, "There is no such book on the shelf.")
  static let noSuchPage = Problem(.notFound, "The book has no such page.")
  static let noSuchMark = Problem(.notFound, "There is no such mark in the book.")
}

extension Problem: HTTPResponseError {
  private struct Body: Encodable {
    struct Error: Encodable {
      var status: Int
      var message: String
    }
    var error: Error
  }

  /// As JSON, or as a page where a person has followed a link.
  func response(from request: Request, context: some RequestContext) throws -> Response {
    var response: Response
    if request.headers[.accept]?.contains("text/html") == true {
      response = Response(
        status: status, headers: [.contentType: "text/html; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    } else {
      let body = Body(error: .init(status: status.code, message: message))
      response = try context.responseEncoder.encode(body, from: request, context: context)
      response.status = status
    }
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private var page: String {
    let text = message.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(status.code)</title><link rel="stylesheet" href="/style.css"></head>
      <body class="problem"><main><h1>\(status.code)</h1><p>\(text)</p><p><a href="/">To the shelf</a></p></main></body></html>

      """
  }
}

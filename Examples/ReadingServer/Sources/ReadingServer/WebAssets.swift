import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The files of the page, read once: only what is in this list is ever served.
struct WebAssets: Sendable {
  struct Asset: Sendable {
    var type: String
    var bytes: ByteBuffer
    var tag: String
  }
  /// By address.
  private let assets: [String: Asset]

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  init() throws {
    let folder = Bundle.module.url(forResource: "Web", withExtension: nil)
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    var assets: [String: Asset] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      guard let type = Self.types[ShelfFolder.fileExtension(name)] else { continue }
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      let tag = "\"\(Digest.of(String(decoding: data, as: UTF8.self)))\""
      assets["/" + name] = Asset(type: type, bytes: ByteBuffer(bytes: data), tag: tag)
    }
    assets["/"] = assets.removeValue(forKey: "/index.html")
    self.assets = assets
  }

  func add(to router: Router<ReadingContext>) {
    for (path, asset) in assets { router.on(RouterPath(path), [(.get, { request, _ in Self.answer(asset, request) })]) }
    // A book's address is a page of its own: the script reads which.
    if let page = assets["/"] { router.on("/read/:book", [(.get, { request, _ in Self.answer(page, request) })]) }
  }

  @Sendable private static func answer(_ asset: Asset, _ request: Request) -> Response {
    let headers: HTTPFields = [.eTag: asset.tag, .cacheControl: "no-cache"]
    if request.headers[.ifNoneMatch]?.contains(asset.tag) == true {
      return Response(status: .notModified, headers: headers)
    }
    var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.bytes))
    response.headers[.contentType] = asset.type
    return response
  }
}

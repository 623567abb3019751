import Markup
import Primitives

/// The files that `META-INF/encryption.xml` names: which are scrambled fonts, and which are really encrypted
/// (EPUB 3.3, section 4.2.6.3.2).
struct Encryption: Sendable {
  /// Fonts that can be restored, by path.
  private(set) var obfuscated: [String: FontObfuscation] = [:]
  /// Files nobody but the shop's own reader can open, by path.
  private(set) var encrypted: [String: EncryptedFile] = [:]

  /// Keys are in a licence of Readium LCP.
  private(set) var usesLicense = false

  init() {}

  init(_ document: Document) {
    for data in document.descendants(of: Document.documentNode, named: "EncryptedData") {
      guard let reference = document.firstDescendant(of: data, named: "CipherReference"),
        let uri = document.value(of: "URI", on: reference), let target = ResourcePath.resolve(uri, relativeTo: "")
      else { continue }
      let algorithm =
        document.firstDescendant(of: data, named: "EncryptionMethod").flatMap {
          document.value(of: "Algorithm", on: $0)
        } ?? ""
      if let kind = FontObfuscation(algorithm: algorithm) {
        obfuscated[target.path] = kind
      } else {
        encrypted[target.path] = EncryptedFile(
          algorithm: algorithm, packedFrom: Self.unpackedSize(of: data, in: document))
        if let key = document.firstDescendant(of: data, named: "RetrievalMethod"),
          document.value(of: "Type", on: key)?.hasPrefix("http://readium.org/2014/01/lcp") == true
        {
          usesLicense = true
        }
      }
    }
  }

  /// Of a file that was packed with DEFLATE before it was encrypted: its size (EPUB 3.3, section 4.2.6.3.2.2).
  private static func unpackedSize(of data: NodeID, in document: Document) -> Int? {
    guard let compression = document.firstDescendant(of: data, named: "Compression"),
      document.value(of: "Method", on: compression) == "8"
    else { return nil }
    return document.value(of: "OriginalLength", on: compression).flatMap { Int($0) }
  }
}

/// The encryption of a file.
struct EncryptedFile: Hashable, Sendable {
  /// As a URL (XML Encryption 1.1, section 5).
  var algorithm: String
  /// The size of what was packed with DEFLATE before; nil where nothing was.
  var packedFrom: Int?
}

/// Decrypts a file of a book: gets its path in the container, the algorithm and the bytes, and returns the file as it was; nil where
/// it has no key.
package typealias Decryption = @Sendable (_ path: String, _ algorithm: String, _ bytes: [UInt8]) -> [UInt8]?

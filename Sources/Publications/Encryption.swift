import Markup
import Primitives

/// The files that `META-INF/encryption.xml` names: which are scrambled fonts, and which are really encrypted
/// (EPUB 3.3, section 4.2.6.3.2).
struct Encryption: Sendable {
  /// Fonts that can be restored, by path.
  private(set) var obfuscated: [String: FontObfuscation] = [:]
  /// Files nobody but the shop's own reader can open, by path, with the algorithm.
  private(set) var encrypted: [String: String] = [:]

  /// Whether keys are in a licence of Readium LCP.
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
        encrypted[target.path] = algorithm
        if let key = document.firstDescendant(of: data, named: "RetrievalMethod"),
          document.value(of: "Type", on: key)?.hasPrefix("http://readium.org/2014/01/lcp") == true
        {
          usesLicense = true
        }
      }
    }
  }
}

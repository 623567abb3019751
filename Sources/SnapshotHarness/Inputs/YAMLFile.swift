import BookOutput
import CYAML
import Primitives

/// A YAML file as the harness reads one: keys are looked up leniently, and those nobody asks for are told.
struct YAMLFile {
  let path: String
  let root: YAMLNode

  init?(path: String) throws(HarnessError) {
    guard let text = Files.text(path) else { return nil }
    let library = OptionalLibrary.yaml
    guard library.isInstalled else { throw HarnessError(69, "\(path): cannot be read: \(library.absence)") }
    self.path = path
    switch YAMLNode.read(text) {
    case .success(let root): self.root = root
    case .failure(let error): throw .invalid("\(path):\(error.line): \(error.reason)")
    }
  }

  /// The entries of a mapping; an error names the key that is none of `allowed`.
  func mapping(_ node: YAMLNode, allowed: Set<String>) throws(HarnessError) -> [String: YAMLNode] {
    guard let mapping = node.mapping else { throw fault(node, "keys and values are expected here") }
    var result: [String: YAMLNode] = [:]
    for (key, value) in mapping {
      guard let name = key.string, allowed.contains(name) else {
        throw fault(key, "\(key.string ?? "this key") is none of \(allowed.sorted().joined(separator: ", "))")
      }
      result[name] = value
    }
    return result
  }

  /// One text or a list of them.
  func strings(_ node: YAMLNode?) -> [String] {
    guard let node else { return [] }
    if let sequence = node.sequence { return sequence.compactMap(\.string) }
    return node.string.map { [$0] } ?? []
  }

  func number(_ node: YAMLNode?) throws(HarnessError) -> Double? {
    guard let node else { return nil }
    guard let value = node.number, value.isFinite else {
      throw fault(node, "a number is expected here")
    }
    return value
  }

  func fault(_ node: YAMLNode, _ text: String) -> HarnessError {
    .invalid("\(path):\(node.line): \(text)")
  }
}

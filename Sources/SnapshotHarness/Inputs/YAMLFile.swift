import Yams

/// A YAML file as the harness reads one: keys are looked up leniently, and those nobody asks for are told.
struct YAMLFile {
  let path: String
  let root: Node

  init?(path: String) throws(HarnessError) {
    guard let text = Files.text(path) else { return nil }
    self.path = path
    do {
      guard let root = try Yams.compose(yaml: text) else { throw HarnessError.invalid("\(path): the file is empty") }
      self.root = root
    } catch let error as YamlError {
      let words = "\(error)".split(separator: "\n").prefix(2).joined(separator: " ")
      throw HarnessError.invalid("\(path): \(words)")
    } catch let error as HarnessError {
      throw error
    } catch {
      throw HarnessError.invalid("\(path): \(error)")
    }
  }

  /// The entries of a mapping; an error names the key that is none of `allowed`.
  func mapping(_ node: Node, allowed: Set<String>) throws(HarnessError) -> [String: Node] {
    guard let mapping = node.mapping else { throw fault(node, "keys and values are expected here") }
    var result: [String: Node] = [:]
    for (key, value) in mapping {
      guard let name = key.string, allowed.contains(name) else {
        throw fault(key, "\(key.string ?? "this key") is none of \(allowed.sorted().joined(separator: ", "))")
      }
      result[name] = value
    }
    return result
  }

  /// One text or a list of them.
  func strings(_ node: Node?) -> [String] {
    guard let node else { return [] }
    if let sequence = node.sequence { return sequence.compactMap(\.string) }
    return node.string.map { [$0] } ?? []
  }

  func number(_ node: Node?) throws(HarnessError) -> Double? {
    guard let node else { return nil }
    guard let value = node.float ?? node.int.map(Double.init), value.isFinite else {
      throw fault(node, "a number is expected here")
    }
    return value
  }

  func fault(_ node: Node, _ text: String) -> HarnessError {
    .invalid("\(path):\(node.mark.map { "\($0.line):" } ?? "") \(text)")
  }
}

/// A number of bytes as people write it: `500M`, `2GiB`, `1000000`.
package func byteCount(_ text: String) -> Int? {
  let text = text.lowercased()
  let digits = text.prefix { $0.isNumber || $0 == "." }
  guard let number = Double(digits), number > 0 else { return nil }
  let factor: Double
  switch text.dropFirst(digits.count) {
  case "", "b": factor = 1
  case "k", "kb", "kib": factor = 1024
  case "m", "mb", "mib": factor = 1024 * 1024
  case "g", "gb", "gib": factor = 1024 * 1024 * 1024
  default: return nil
  }
  return number * factor < 1e17 ? Int(number * factor) : nil
}

import Foundation
import Markup
import Primitives
import TestSupport
import Testing

/// The tree construction tests of html5lib, where they are beside the project.
@Suite struct HTMLTreeConstructionTests {
  static let folder = URL(fileURLWithPath: SharedData.path("conformance/html5-tree/tree-construction"))

  static var isThere: Bool { SharedData.isThere("conformance/html5-tree/tree-construction") }

  /// Left out: fragments, scripts that run, the separate content of `template`.
  @Test(.enabled(if: isThere, "the conformance data are not beside the project"))
  func `Trees are those of the conformance suite`() throws {
    var count = 0
    var differing: [String] = []
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "dat" {
      for test in cases(String(decoding: try Data(contentsOf: file), as: UTF8.self)) {
        count += 1
        let document = HTMLReader.read(Array(test.data.utf8), limits: Limits()).document
        if lines(document) != test.tree {
          differing.append("\(file.lastPathComponent) \(test.data.debugDescription):\n\(lines(document))\n\(test.tree)")
        }
      }
    }
    // The rest are frames, which are passed over, and copies of options that scripts could change.
    #expect(count == 1482)
    #expect(differing.count <= 78, "\(differing.joined(separator: "\n"))")
  }

  private func cases(_ source: String) -> [(data: String, tree: [String])] {
    var cases: [(data: String, tree: [String])] = []
    var sections: [String: [String]] = [:]
    var section = ""
    func finish() {
      defer { sections = [:] }
      guard let data = sections["#data"], var tree = sections["#document"], sections["#document-fragment"] == nil,
        sections["#script-on"] == nil, !tree.contains(where: { $0.hasSuffix(" content") })
      else { return }
      while tree.last == "" { tree.removeLast() }
      let visible = tree.filter { line in
        let node = line.drop { $0 == "|" || $0 == " " }
        return !(line.hasPrefix("|") && (node.hasPrefix("<!--") || node.hasPrefix("<!DOCTYPE")))
      }
      cases.append((data.joined(separator: "\n"), visible.map(withoutNamespaces)))
    }
    for line in source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line == "#data" { finish() }
      if ["#data", "#errors", "#new-errors", "#document", "#document-fragment", "#script-on", "#script-off"].contains(
        line)
      {
        section = line
        sections[section] = []
      } else {
        sections[section]?.append(line)
      }
    }
    finish()
    return cases
  }

  /// Attributes of XLink and XML keep their prefix here.
  private func withoutNamespaces(_ line: String) -> String {
    let node = line.drop { $0 == "|" || $0 == " " }
    for prefix in ["xlink", "xml", "xmlns"] where node.hasPrefix(prefix + " ") {
      return line[..<node.startIndex] + prefix + ":" + node.dropFirst(prefix.count + 1)
    }
    return line
  }

  private func lines(_ document: Document) -> [String] {
    var lines: [String] = []
    func visit(_ id: NodeID, _ level: Int) {
      let node = document[id]
      let indent = "| " + String(repeating: "  ", count: level)
      if node.kind == .text {
        lines += (indent + "\"" + document.string(node.range) + "\"").components(separatedBy: "\n")
      }
      if node.kind == .element {
        let prefix = node.namespace == .svg ? "svg " : node.namespace == .mathML ? "math " : ""
        lines.append(indent + "<" + prefix + document.names.name(of: node.name) + ">")
        lines += document.attributes[Int(node.range.lowerBound)..<Int(node.range.upperBound)].map {
          indent + "  " + document.names.name(of: $0.name) + "=\"" + document.string($0.value) + "\""
        }.sorted()
      }
      for child in document.children(of: id) { visit(child, node.kind == .document ? 0 : level + 1) }
    }
    visit(Document.documentNode, 0)
    return lines
  }
}

import CYAML

/// A value of a YAML file (YAML 1.1, as libyaml reads it) and the line it stands on, from 1.
struct YAMLNode {
  enum Content {
    /// The text, and whether it stands without quotation marks, so that it may mean a number or a truth.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  struct Fault: Error {
    var line: Int
    var reason: String
  }

  var content: Content
  var line: Int

  var mapping: [(key: YAMLNode, value: YAMLNode)]? {
    if case .mapping(let pairs) = content { pairs } else { nil }
  }
  var sequence: [YAMLNode]? {
    if case .sequence(let nodes) = content { nodes } else { nil }
  }
  var string: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }
  private var plain: String? {
    if case .scalar(let text, isPlain: true) = content { text } else { nil }
  }
  var number: Double? { plain.flatMap { Double($0) } }
  var int: Int? { plain.flatMap { Int($0) } }
  var bool: Bool? {
    switch plain?.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// The first document of a text.
  static func read(_ text: String) -> Result<YAMLNode, Fault> {
    var parser = unsafe yaml_parser_t()
    guard unsafe yaml_parser_initialize(&parser) == 1 else { return .failure(Fault(line: 1, reason: "no memory")) }
    defer { unsafe yaml_parser_delete(&parser) }
    var text = text
    return text.withUTF8 { bytes in
      unsafe yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var document = unsafe yaml_document_t()
      guard unsafe yaml_parser_load(&parser, &document) == 1 else {
        return unsafe .failure(
          Fault(
            line: Int(parser.problem_mark.line) + 1,
            reason: parser.problem.map { unsafe String(cString: $0) } ?? "not YAML"))
      }
      defer { unsafe yaml_document_delete(&document) }
      guard let root = unsafe yaml_document_get_root_node(&document) else {
        return .failure(Fault(line: 1, reason: "the file is empty"))
      }
      do throws(Fault) { return unsafe .success(try node(root, in: &document, depth: 0)) } catch {
        return .failure(error)
      }
    }
  }

  private static func node(
    _ source: UnsafeMutablePointer<yaml_node_t>, in document: inout yaml_document_t, depth: Int
  ) throws(Fault) -> YAMLNode {
    let line = unsafe Int(source.pointee.start_mark.line) + 1
    // An alias may lead back to what it stands in.
    guard depth < 32 else { throw Fault(line: line, reason: "the values are nested too deeply") }
    func child(_ number: Int32) throws(Fault) -> YAMLNode {
      guard let found = unsafe yaml_document_get_node(&document, number) else {
        throw Fault(line: line, reason: "a value is missing")
      }
      return try unsafe node(found, in: &document, depth: depth + 1)
    }
    switch unsafe source.pointee.type {
    case YAML_SCALAR_NODE:
      let scalar = unsafe source.pointee.data.scalar
      let text = unsafe String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return unsafe YAMLNode(content: .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), line: line)
    case YAML_SEQUENCE_NODE:
      let items = unsafe source.pointee.data.sequence.items
      var nodes: [YAMLNode] = []
      for index in unsafe 0..<(items.top - items.start) { unsafe nodes.append(try child(items.start[index])) }
      return YAMLNode(content: .sequence(nodes), line: line)
    case YAML_MAPPING_NODE:
      let pairs = unsafe source.pointee.data.mapping.pairs
      var entries: [(key: YAMLNode, value: YAMLNode)] = []
      for index in unsafe 0..<(pairs.top - pairs.start) {
        unsafe entries.append((try child(pairs.start[index].key), try child(pairs.start[index].value)))
      }
      return YAMLNode(content: .mapping(entries), line: line)
    default:
      throw Fault(line: line, reason: "a value is missing")
    }
  }
}

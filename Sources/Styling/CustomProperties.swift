import CSS
import Markup
import Primitives

/// The attributes that `attr()` names: those of one element.
struct ElementAttributes {
  var document: Document? = nil
  var node = NodeID.none
  /// One was asked for: what comes of it is this element's alone.
  private(set) var wereRead = false

  mutating func value(of name: String) -> String? {
    wereRead = true
    guard let document, !node.isNone,
      let atom = document.names.lookup(document.isXML ? name : name.lowercased())
    else { return nil }
    return document.attributeValue(atom, of: node)
  }

  mutating func forgetReads() { wereRead = false }
}

/// The custom properties of an element, its ancestors' included, with every `var()` in them replaced
/// (CSS Custom Properties 1).
struct CustomProperties {
  private(set) var values: [String: TokenBuffer] = [:]

  init(_ values: [String: TokenBuffer] = [:]) { self.values = values }

  /// A value a declaration gives to a custom property.
  struct Declared {
    var buffer: TokenBuffer
    var tokens: Range<Int>

    /// The keyword, if the value is one that asks for that of a weaker origin or layer.
    var rollsBack: WideKeyword? {
      let cursor = TokenCursor(buffer, tokens).trimmed
      guard cursor.kind == .ident, cursor.peek().kind == .eof else { return nil }
      return cursor.isIdent("revert") ? .revert : cursor.isIdent("revert-layer") ? .revertLayer : nil
    }
  }

  /// Limits that keep a few declarations from growing without bound.
  static let maximumBytes = 1 << 16
  static let maximumTokens = 1 << 14
  static let maximumDepth = 64

  /// The properties of a child that declares some itself and inherits these.
  ///
  /// Properties that refer to each other in a cycle, and those that grow too long, are invalid: they have no value.
  func adding(
    _ declared: [String: Declared], parent: CustomProperties, _ registered: RegisteredProperties,
    resolve: PropertySyntax.LengthResolution, attributes: inout ElementAttributes, budget: inout Int
  ) -> CustomProperties {
    // Each element with properties of its own keeps a list of all that it sees.
    budget -= (values.count + declared.count) * 16
    guard budget > 0 else { return self }
    return withoutActuallyEscaping(resolve) { resolve in
      var resolver = Resolver(
        inherited: self, parent: parent, registered: registered, resolve: resolve, declared: declared,
        attributes: attributes, budget: budget)
      // Sorted, so that a spent budget always strikes the same properties.
      for name in declared.keys.sorted() { _ = resolver.value(of: name, depth: 0) }
      budget = resolver.budget
      attributes = resolver.attributes
      var result = self
      for name in declared.keys {
        if let value = resolver.resolved[name] ?? nil { result.values[name] = value } else { result.values[name] = nil }
      }
      return result
    }
  }

  /// The tokens of a property's value with each `var()` and `attr()` replaced, nil when one has neither value nor fallback
  /// (CSS Custom Properties 1, section 3).
  func substitute(
    _ buffer: TokenBuffer, _ tokens: Range<Int>, attributes: inout ElementAttributes
  ) -> TokenBuffer? {
    var resolver = Resolver(
      inherited: self, parent: self, registered: RegisteredProperties(), resolve: { _, _ in nil }, declared: [:],
      attributes: attributes, budget: Self.maximumBytes * 16)
    defer { attributes = resolver.attributes }
    return resolver.substitute(buffer, tokens, depth: 0)
  }

  private struct Resolver {
    let inherited: CustomProperties
    let parent: CustomProperties
    let registered: RegisteredProperties
    let resolve: PropertySyntax.LengthResolution
    let declared: [String: Declared]
    var attributes: ElementAttributes
    var budget: Int
    /// Nil for invalid ones.
    var resolved: [String: TokenBuffer?] = [:]
    var visiting: [String] = []
    var cyclic: Set<String> = []

    mutating func value(of name: String, depth: Int) -> TokenBuffer? {
      if let known = resolved[name] { return known }
      guard let declaration = declared[name] else { return inherited.values[name] }
      if let first = visiting.firstIndex(of: name) {
        cyclic.formUnion(visiting[first...])
        return nil
      }
      guard depth < CustomProperties.maximumDepth else { return nil }
      visiting.append(name)
      var result: TokenBuffer?
      if let whole = wide(declaration, name: name) {
        result = whole
      } else {
        result = substitute(declaration.buffer, declaration.tokens, depth: depth + 1)
      }
      visiting.removeLast()
      if cyclic.contains(name) { result = nil }
      if let registration = registered[name], wide(declaration, name: name) == nil {
        var isOpen = false
        result = result.flatMap { value in
          registration.syntax.value(of: TokenCursor(value), context: ValueContext()) { number, unit in
            let pixels = resolve(number, unit)
            if pixels == nil { isOpen = registered.isProvisional }
            return pixels
          }
        }
        // A value of another type is invalid at computed-value time.
        if result == nil, !isOpen {
          result = registration.isInherited ? parent.values[name] : registration.initialValue
        }
      }
      resolved.updateValue(result, forKey: name)
      return result
    }

    /// The value of `initial`, `inherit` and their kin; nil for every other value.
    private func wide(_ declaration: Declared, name: String) -> TokenBuffer?? {
      let cursor = TokenCursor(declaration.buffer, declaration.tokens).trimmed
      guard cursor.kind == .ident, cursor.peek().kind == .eof else { return nil }
      let registration = registered[name]
      if cursor.isIdent("initial") { return .some(registration?.initialValue) }
      if cursor.isIdent("inherit") { return .some(parent.values[name]) }
      // What nothing weaker declares is as if unset.
      if cursor.isIdent("unset") {
        return .some(registration?.isInherited == false ? registration?.initialValue : parent.values[name])
      }
      return nil
    }

    mutating func substitute(_ buffer: TokenBuffer, _ tokens: Range<Int>, depth: Int) -> TokenBuffer? {
      var output = TokenBuffer()
      guard append(TokenCursor(buffer, tokens), to: &output, depth: depth) else { return nil }
      budget -= output.text.count
      guard budget > 0 else { return nil }
      output.linkBlocks()
      return output
    }

    private mutating func append(_ source: TokenCursor, to output: inout TokenBuffer, depth: Int) -> Bool {
      guard depth < CustomProperties.maximumDepth else { return false }
      var cursor = source
      var plain = cursor.position
      while !cursor.isAtEnd {
        let isAttribute = cursor.isFunction("attr")
        guard isAttribute || cursor.isFunction("var") || cursor.isFunction("env") else {
          cursor.advance()
          continue
        }
        let isEnvironment = cursor.isFunction("env")
        let function = cursor.position
        var arguments = cursor.enterBlock()
        if isAttribute {
          // One in a namespace is left to who reads the value.
          guard let reference = AttributeReference(arguments) else { continue }
          output.append(plain..<function, of: source.buffer)
          plain = cursor.position
          if let value = reference.tokens(of: attributes.value(of: reference.name)) {
            output.append(0..<value.tokens.count, of: value)
          } else {
            guard let fallback = reference.fallback, append(fallback, to: &output, depth: depth + 1) else {
              return false
            }
          }
        } else {
          output.append(plain..<function, of: source.buffer)
          plain = cursor.position
          guard append(reference: &arguments, isEnvironment: isEnvironment, to: &output, depth: depth) else {
            return false
          }
        }
        guard output.text.count <= CustomProperties.maximumBytes, output.tokens.count <= CustomProperties.maximumTokens
        else {
          return false
        }
      }
      output.append(plain..<cursor.position, of: source.buffer)
      return true
    }

    /// Appends what `var()` or `env()` with these arguments stands for; false where that is nothing.
    private mutating func append(
      reference arguments: inout TokenCursor, isEnvironment: Bool, to output: inout TokenBuffer, depth: Int
    ) -> Bool {
      arguments.skipWhitespace()
      guard arguments.kind == .ident else { return false }
      let name = arguments.text
      arguments.advance()
      arguments.skipWhitespace()
      let hasFallback = arguments.consumeComma()
      if !isEnvironment, let value = value(of: name, depth: depth) {
        output.append(0..<value.tokens.count, of: value)
        return true
      }
      return hasFallback && append(arguments.trimmed, to: &output, depth: depth + 1)
    }
  }
}

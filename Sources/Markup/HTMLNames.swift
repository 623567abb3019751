package import Primitives

/// The names of elements and attributes of one source of HTML, as atoms.
///
/// Those met are kept by their bytes, in a table of fixed size, so that most become atoms without a string.
package struct HTMLNames {
  struct Name {
    var atom: Atom
    /// The namespace a prefix names by custom; nil for names without such a prefix.
    var namespace: Namespace?
    /// The attribute declares a namespace.
    var isDeclaration = false
  }

  private struct Slot {
    var hash: UInt32
    var isAttribute: Bool
    /// Where the source has the name.
    var range: Range<Int>
    var name: Name
  }

  private static let size = 1024
  private static let probes = 4

  package var atoms = AtomTable()
  private var slots = [Slot?](repeating: nil, count: size)

  /// The name of a tag.
  mutating func element(_ range: Range<Int>, in bytes: Span<UInt8>) -> Name {
    name(range, isAttribute: false, in: bytes)
  }

  mutating func attribute(_ range: Range<Int>, in bytes: Span<UInt8>) -> Name {
    name(range, isAttribute: true, in: bytes)
  }

  private mutating func name(_ range: Range<Int>, isAttribute: Bool, in bytes: Span<UInt8>) -> Name {
    var hash: UInt32 = isAttribute ? 2_166_136_261 : 84_696_351
    for index in range { hash = (hash ^ UInt32(ASCII.lowercase(bytes[index]))) &* 16_777_619 }
    let first = Int(truncatingIfNeeded: hash ^ hash >> 16)
    for probe in 0..<Self.probes {
      let place = (first &+ probe) & (Self.size - 1)
      guard let slot = slots[place] else {
        let name = make(range, isAttribute: isAttribute, in: bytes)
        slots[place] = Slot(hash: hash, isAttribute: isAttribute, range: range, name: name)
        return name
      }
      if slot.hash == hash, slot.isAttribute == isAttribute, Self.equal(slot.range, range, in: bytes) {
        return slot.name
      }
    }
    return make(range, isAttribute: isAttribute, in: bytes)
  }

  private mutating func make(_ range: Range<Int>, isAttribute: Bool, in bytes: Span<UInt8>) -> Name {
    var lowercase: [UInt8] = []
    lowercase.reserveCapacity(range.count)
    for index in range {
      if bytes[index] == 0 {
        lowercase += "\u{FFFD}".utf8
      } else {
        lowercase.append(ASCII.lowercase(bytes[index]))
      }
    }
    let spelled = String(decoding: lowercase, as: UTF8.self)
    let colon = lowercase.firstIndex(of: UInt8(ascii: ":"))
    let prefix = colon.flatMap { Namespace(customaryPrefix: String(decoding: lowercase[..<$0], as: UTF8.self)) }
    if isAttribute {
      let isDeclaration = spelled == "xmlns" || spelled.hasPrefix("xmlns:")
      // The names of these namespaces keep their prefix.
      let namespace = prefix.flatMap { [.epub, .xml, .xlink].contains($0) ? $0 : nil }
      return Name(atom: atoms.intern(spelled), namespace: namespace, isDeclaration: isDeclaration)
    }
    guard let colon, let prefix, [.svg, .mathML, .html].contains(prefix) else {
      return Name(atom: atoms.intern(spelled))
    }
    let local = String(decoding: lowercase[(colon + 1)...], as: UTF8.self)
    return Name(atom: atoms.intern(local), namespace: prefix == .html ? nil : prefix)
  }

  private static func equal(_ first: Range<Int>, _ second: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    for offset in 0..<first.count
    where ASCII.lowercase(bytes[first.lowerBound + offset]) != ASCII.lowercase(bytes[second.lowerBound + offset]) {
      return false
    }
    return true
  }
}

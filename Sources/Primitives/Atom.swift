/// An interned name of markup: an element or attribute name.
///
/// Names of HTML, SVG, MathML and EPUB are static and equal everywhere; other names are local to an `AtomTable`.
@frozen
public struct Atom: RawRepresentable, Hashable, Sendable {
  /// The position in the table of names; static names come first.
  public var rawValue: UInt32
  /// The name at a position in the table.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The name is one of the static ones.
  @inlinable package var isStatic: Bool { rawValue < Atom.staticCount }
  /// Stands for no name.
  package static let none = Atom(rawValue: .max)
}

/// The names of one document: the static ones and those it met.
package struct AtomTable: Sendable {
  private var local: [String] = []
  private var ids: [String: UInt32] = [:]

  /// A table with the static names alone.
  package init() {}

  /// The atom of `name`, added when it is new. Names are case-sensitive; HTML readers lower them first.
  package mutating func intern(_ name: String) -> Atom {
    if let known = lookup(name) { return known }
    let id = Atom.staticCount + UInt32(local.count)
    local.append(name)
    ids[name] = id
    return Atom(rawValue: id)
  }
  /// The atom of `name` if the table has it.
  package func lookup(_ name: String) -> Atom? {
    if let fixed = Atom.staticIDs[name] { return Atom(rawValue: fixed) }
    return ids[name].map { Atom(rawValue: $0) }
  }
  /// The table has names beside those that all tables have.
  package var hasOwnNames: Bool { !local.isEmpty }
  /// The name as markup writes it; empty for `Atom.none`.
  package func name(of atom: Atom) -> String {
    atom.isStatic
      ? Atom.staticNames[Int(atom.rawValue)] : atom == .none ? "" : local[Int(atom.rawValue - Atom.staticCount)]
  }
}

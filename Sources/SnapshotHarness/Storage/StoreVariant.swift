import BookOutput
import FoundationEssentials

/// Baselines of several systems: a variant of a store has the units that are otherwise on its system, and falls back to
/// the baseline for all others.
///
/// `variants/NAME/` has the texts of such units, in the form of a store. Page data and blobs of all are in the store's
/// folders.
extension SnapshotStore {
  private static let folder = "variants"

  /// The store and the name that a path of a variant is made of; nil for any other path.
  static func parts(of path: String) -> (root: String, variant: String)? {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    let parent = OutputFiles.folder(of: path)
    let root = OutputFiles.folder(of: parent)
    let variant = String(path.dropFirst(parent.count + 1))
    return isName(variant) && parent == Files.join(root, folder) ? (root, variant) : nil
  }

  /// A variant has a name of ASCII letters, digits, `-`, `_` and `.`, the first a letter or digit: at most 64.
  package static func isName(_ text: String) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
    guard let first = text.utf8.first, isWord(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isWord($0) || [0x2D, 0x2E, 0x5F].contains($0) }
  }

  /// The names of the variants that were recorded, in order.
  package var variantNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Files.join(root, Self.folder))) ?? []
    return names.sorted().filter { Self.isName($0) && Self.isStore(place(of: $0)) }
  }

  private func place(of variant: String) -> String { Files.join(root, "\(Self.folder)/\(variant)") }

  /// The baseline and all of its variants.
  var family: [SnapshotStore] { [SnapshotStore(root)] + variantNames.map { SnapshotStore(place(of: $0)) } }

  /// A variant. Fails with 66 where there is none of that name, or nothing that it could fall back to.
  ///
  /// - Parameter mayBeNew: `true` for one that is to be recorded.
  package func variant(named name: String, mayBeNew: Bool = false) throws(HarnessError) -> SnapshotStore {
    guard Self.isStore(root) else {
      throw HarnessError.missing("\(path): there is no baseline that a variant could fall back to")
    }
    let names = variantNames
    guard mayBeNew || names.contains(name) else {
      throw HarnessError.missing(
        "\(path): there is no variant \(name)\(names.isEmpty ? "" : ", but \(names.joined(separator: ", "))"); "
          + "typeset snapshot record --variant makes one")
    }
    return SnapshotStore(place(of: name))
  }

  /// Gives books their new names in the baseline and all variants but this one, which records them anew.
  func renameElsewhere(_ units: [(old: UnitKey, new: UnitKey)]) throws(HarnessError) {
    for store in family where store.variant != variant {
      for (old, new) in units { try store.rename(old, to: new) }
    }
  }
}

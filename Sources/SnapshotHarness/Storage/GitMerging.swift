import BookOutput
import FoundationEssentials
import Platform

/// Settings of Git for the files that two branches both change.
///
/// Lines of decisions are joined (`merge=union`): they name what they were written after, so their order does not matter. Units of
/// a baseline are sealed by their first line, so they have a driver of their own (`UnitMerge`).
package enum GitMerging {
  package static let driver = "typeset-snapshot"
  /// The file of a store that lists its units.
  static let unitList = "units.txt"

  /// A path lies in a work tree of Git.
  private static func isTracked(_ path: String) -> Bool {
    var folder = path
    while folder.count > 1 {
      folder = OutputFiles.folder(of: folder)
      if Files.exists(Files.join(folder, ".git")) { return true }
    }
    return false
  }

  /// Writes to a file of attributes beside a path how it is merged, where nothing is said of it yet and the file can be written.
  private static func add(_ line: String, in folder: String) {
    let path = Files.join(folder, ".gitattributes")
    let text = Files.text(path) ?? ""
    let name = line.prefix { $0 != " " }
    guard isTracked(path), !text.split(separator: "\n").contains(where: { $0.hasPrefix(name + " ") }) else { return }
    try? Files.write((text.isEmpty || text.hasSuffix("\n") ? text : text + "\n") + line + "\n", to: path)
  }

  /// Has the lines of a file of decisions joined.
  static func attribute(_ decisions: String) {
    let name = decisions.split(separator: "/").last ?? ""
    // A name that would need quoting is left to its owner.
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }) else {
      return
    }
    add("\(name) merge=union", in: OutputFiles.folder(of: decisions))
  }

  /// Has the units of a store merged and shown by this program, once the repository knows of it (`install`).
  static func attribute(store: String) {
    add("units/** merge=\(driver) diff=\(driver)", in: store)
    add("baseline.json merge=\(driver)", in: store)
    add("\(unitList) merge=union", in: store)
  }

  /// Names this program to the repository of a folder as what merges and shows units.
  package static func install(program: String, in folder: String) throws(HarnessError) {
    let program = ShellWord.quote(program)
    for (name, value) in [
      ("merge.\(driver).name", "units of a baseline of typeset snapshot"),
      ("merge.\(driver).driver", "\(program) snapshot merge-driver %O %A %B"),
      ("diff.\(driver).textconv", "\(program) snapshot merge-driver --show"),
    ] {
      do throws(HarnessError) {
        _ = try Git.run(["config", name, value], in: folder)
      } catch {
        throw HarnessError(66, "\(folder): git does not take the driver: \(error.description)")
      }
    }
  }
}

import BookOutput
import FoundationEssentials
import Typesetting

/// Looks for the first revision that shows a change (snapshot harness, 2).
package enum Bisect {
  /// The first of `revisions` for which `isChanged` holds. It does not hold before the first and does for the last.
  package static func first(
    of revisions: [String], where isChanged: (String) throws(HarnessError) -> Bool
  ) throws(HarnessError) -> String? {
    var low = 0
    var high = revisions.count - 1
    guard high >= 0 else { return nil }
    while low < high {
      let middle = (low + high) / 2
      if try isChanged(revisions[middle]) { high = middle } else { low = middle + 1 }
    }
    return revisions[high]
  }

  /// The revisions after `good` up to `bad`, oldest first, along first parents.
  package static func revisions(from good: String, to bad: String, repository: String) throws(HarnessError) -> [String]
  {
    let list = try Git.run(["rev-list", "--reverse", "--first-parent", "\(good)..\(bad)"], in: repository)
    let revisions = list.split(separator: "\n").map(String.init)
    guard !revisions.isEmpty else { throw HarnessError(64, "there is no revision after \(good) up to \(bad)") }
    return revisions
  }

  /// A folder is a work tree of this project, which `defaultCommand` builds.
  package static func isEngine(_ repository: String) -> Bool {
    Files.exists(Files.join(repository, "Package.swift")) && Files.isFolder(Files.join(repository, "Sources/typeset"))
  }

  package static func commit(_ revision: String, repository: String) throws(HarnessError) -> String {
    try Git.run(["rev-parse", "--verify", revision + "^{commit}"], in: repository).split(separator: "\n").first
      .map(String.init) ?? ""
  }

  /// Builds a revision: a shell command that finds it in `$REVISION`, with a folder of its own in `$FOLDER`, and says in its
  /// last line where the program is. What was built is not built again.
  package static func program(
    of revision: String, command: String, repository: String, folder: String
  ) throws(HarnessError) -> String {
    let place = Files.join(Files.absolute(folder), revision)
    let note = Files.join(place, "program")
    if let known = Files.text(note)?.split(separator: "\n").first.map(String.init), Files.exists(known) { return known }
    try Files.makeFolder(place)
    var limits = UnitLimits()
    limits.seconds = 7200
    limits.memory = 64 << 30
    limits.openFiles = 4096
    limits.fileSize = 64 << 30
    var child = ChildProcess(["/bin/sh", "-c", command], folder: Files.absolute(repository), limits: limits)
    child.refusesNetwork = false
    child.environment = ProcessInfo.processInfo.environment
    child.environment["REVISION"] = revision
    child.environment["FOLDER"] = place
    let outcome = child.run(isStopped: { Interruption.isRequested })
    if outcome.end == .interrupted { throw HarnessError(130, "interrupted") }
    let last = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
    guard outcome.end == .exited(0) else { throw HarnessError(69, "\(revision) cannot be built: \(last)") }
    guard Files.exists(last) else {
      throw HarnessError(69, "\(revision): the last line of the build command names no program: \(last)")
    }
    try Files.write(last + "\n", to: note)
    return last
  }

  /// The command that builds this project itself.
  package static let defaultCommand = """
    set -e
    [ -d "$FOLDER/source" ] || git worktree add --force --detach "$FOLDER/source" "$REVISION" >&2
    for product in typeset typeset-snapshot; do
      [ -d "$FOLDER/source/Sources/$product" ] || continue
      swift build -c release --product $product --package-path "$FOLDER/source" --scratch-path "$FOLDER/build" >&2
      cp "$FOLDER/build/release/$product" "$FOLDER/$product"
    done
    git worktree remove --force "$FOLDER/source" >&2
    rm -rf "$FOLDER/build"
    echo "$FOLDER/typeset"
    """
}

extension SnapshotStore {
  /// The texts of all units as a revision of the store's repository has them.
  package func texts(at revision: String) throws(HarnessError) -> [[UInt8]] {
    // Between zeros, since Git quotes names that are not ASCII on lines.
    let names = try Git.run(["ls-tree", "-r", "-z", "--name-only", revision, "units/", "variants/"], in: root)
    var texts: [[UInt8]] = []
    for name in names.split(separator: "\0") where name.hasPrefix("units/") || name.contains("/units/") {
      texts.append(try Git.bytes(["show", "\(revision):./\(name)"], in: root))
    }
    return texts
  }

  /// The texts of all units of this store and its variants.
  package func texts() -> [[UInt8]] {
    family.flatMap { store in
      Files.walk(Files.join(store.path, "units")).compactMap { Files.read(Files.join(store.path, "units/" + $0)) }
    }
  }
}

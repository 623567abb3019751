import BookOutput
import FoundationEssentials
import Platform
import Synchronization

/// The one process that writes into a folder of a run or of a store.
///
/// The kernel holds the lock as long as the process lives: what a killed one leaves behind holds nobody up.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, or fails at once and names who has it.
  ///
  /// - Parameter folder: that of a run or of a store; it is made where there is none.
  package init(_ folder: String, isStore: Bool) throws(HarnessError) {
    let folder = Files.absolute(folder)
    // The folder of a store that Git does not see.
    let place = isStore ? Files.join(folder, "pages") : folder
    try Files.makeFolder(place)
    let path = Files.join(place, ".lock")
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw HarnessError(OutputFiles.failure(path)) }
    // A file system without locks refuses nobody.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      let holder = (Files.text(path) ?? "").split(separator: "\n").first.map(String.init) ?? "another process"
      close(descriptor)
      throw HarnessError(73, "\(folder): \(holder) is at work in it")
    }
    ftruncate(descriptor, 0)
    let verb = CommandLine.arguments.dropFirst().prefix(2).joined(separator: " ")
    let text = Array("typeset \(verb), process \(getpid()), since \(Date().ISO8601Format()),\n".utf8)
    _ = unsafe Platform.write(descriptor, text, text.count)
  }

  deinit { close(descriptor) }

  private static let held = Lock<[String: FolderLock]>([:])

  /// Takes a lock until the process ends, or has it already.
  package static func hold(run folder: String) throws(HarnessError) { try hold(folder, isStore: false) }
  /// Variants are written to beside what they fall back to.
  package static func hold(store: SnapshotStore) throws(HarnessError) { try hold(store.root, isStore: true) }

  private static func hold(_ folder: String, isStore: Bool) throws(HarnessError) {
    let folder = Files.absolute(folder)
    if held.withLock({ $0[folder] != nil }) { return }
    let lock = try FolderLock(folder, isStore: isStore)
    held.withLock { $0[folder] = lock }
  }
}

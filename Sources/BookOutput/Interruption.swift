import Platform
import Synchronization

/// The reader's wish to stop (SIGINT, SIGTERM, SIGHUP): a running book ends at the next page and cleans up behind it.
package enum Interruption {
  private static let flag = Atomic<Bool>(false)

  package static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Takes over the signals. A second one ends the process at once.
  package static func install() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      // Storing to a lock-free atomic is all that is done in the handler.
      unsafe action.__sigaction_handler.sa_handler = { _ in Interruption.flag.store(true, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
      unsafe sigaction(number, &action, nil)
    }
    // The process that started this one may have them blocked.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

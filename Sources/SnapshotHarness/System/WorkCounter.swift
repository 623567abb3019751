import CProcess
import Platform

/// Counts the work of this process and of every thread it starts from now on (snapshot harness, 8.2). Instructions retired do
/// not swing with what else a machine does, as time does; virtual machines often do not count them.
package final class WorkCounter: Sendable {
  package enum Event: Sendable {
    /// Instructions retired outside the kernel.
    case instructions
    /// Nanoseconds on a processor.
    case taskClock
  }

  private let descriptor: Int32

  /// nil where the machine does not count it, or not for everybody.
  package init?(_ event: Event) {
    descriptor = cp_count(event == .instructions ? cp_instructions : cp_task_clock)
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The count until now; nil where the processor had no counter free for all of the time.
  package var count: Double? {
    let count = cp_read_count(descriptor)
    return count < 0 ? nil : Double(count)
  }
}

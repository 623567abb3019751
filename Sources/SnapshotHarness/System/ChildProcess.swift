import CProcess
import FoundationEssentials
import Platform
import Typesetting

/// A child process with limits, and what became of it.
package struct ChildProcess: Sendable {
  package var arguments: [String]
  package var environment: [String: String] = [:]
  package var folder: String
  package var limits: UnitLimits
  package var refusesNetwork = true
  /// The folders below which it may write, where the kernel can keep it to them; nil is everywhere.
  package var writable: [String]?
  /// The kernel can do so (Landlock).
  package static var keepsWriting: Bool { cp_keeps_writing() != 0 }
  /// The outcome has all that it writes, as bytes; by default the end of it, which is enough to tell of a failure.
  package var keepsWholeOutput = false

  package init(_ arguments: [String], folder: String, limits: UnitLimits = UnitLimits()) {
    self.arguments = arguments
    self.folder = folder
    self.limits = limits
  }

  package enum End: Hashable, Sendable {
    case exited(Int)
    case signal(Int)
    /// It was killed because its time was over.
    case hang
    /// It was killed because it held too much memory, or ended where memory was refused.
    case outOfMemory
    /// It was killed because the whole run was to stop.
    case interrupted
    /// It could not be started.
    case notStarted(Int32)
  }

  package struct Outcome: Hashable, Sendable {
    package var end: End
    /// The bytes that it wrote to its standard output and error: the last 16 KiB, or everything (`keepsWholeOutput`).
    package var bytes: [UInt8]
    package var output: String { String(decoding: bytes, as: UTF8.self) }
    /// Milliseconds.
    package var wall: Double
    package var cpu: Double
    package var peakBytes: Int
  }

  /// Virtual memory beside what may be resident: stacks of workers and files that are mapped.
  private static let virtualReserve: UInt64 = 24 << 30
  private static let tailLength = 16 << 10
  /// Of one user: what a child that starts others without end is stopped by.
  private static let processes: UInt64 = 8192
  /// A child that knows its limits gets some room beyond them, to stop by itself and tell of it.
  private var timeout: Double { limits.seconds * 1.1 + min(4, limits.seconds) }
  /// A child that crashed is looked at before it ends.
  private static let timeoutForStacks = 25.0
  private var memoryBound: Int { limits.memory + limits.memory / 4 }

  /// Runs to the end, whatever that is.
  ///
  /// - Parameters:
  ///   - started: gets the process id.
  ///   - isStopped: asked a few times a second.
  package func run(
    started: (Int32) -> Void = { _ in }, isStopped: () -> Bool = { false }
  ) -> Outcome {
    let start = Clock.wallTime
    func outcome(_ end: End, _ output: [UInt8] = [], _ usage: rusage = rusage(), peak: Int = 0) -> Outcome {
      let cpu =
        Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3
      return Outcome(
        end: end, bytes: output, wall: Double(Clock.wallTime - start) / 1e6,
        cpu: cpu, peakBytes: max(peak, usage.ru_maxrss * 1024))
    }
    var ends: [Int32] = [0, 0]
    let piped = unsafe cp_pipe(&ends)
    guard piped == 0 else { return outcome(.notStarted(-piped)) }
    defer { close(ends[0]) }
    var limits = unsafe cp_limits()
    unsafe limits.address_space = UInt64(self.limits.memory) + Self.virtualReserve
    unsafe limits.cpu_seconds = UInt64(self.limits.seconds.rounded(.up)) * 8 + 1
    unsafe limits.file_size = UInt64(self.limits.fileSize)
    unsafe limits.open_files = UInt64(self.limits.openFiles)
    unsafe limits.processes = Self.processes
    unsafe limits.refuses_network = refusesNetwork ? 1 : 0
    let child = unsafe Self.withStrings(arguments) { arguments in
      unsafe Self.withStrings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }) { environment in
        guard let writable else {
          return unsafe cp_start(arguments[0], arguments, environment, folder, ends[1], &limits)
        }
        return unsafe Self.withStrings(writable) { writable in
          unsafe writable.withUnsafeBufferPointer { writable in
            unsafe limits.writable = writable.baseAddress
            return unsafe cp_start(arguments[0], arguments, environment, folder, ends[1], &limits)
          }
        }
      }
    }
    close(ends[1])
    guard child > 0 else { return outcome(.notStarted(-child)) }
    started(child)

    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    var killed: End?
    var peak = 0
    var isOpen = true
    var usage = rusage()
    var status: Int32 = 0
    while true {
      if isOpen {
        var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        if unsafe poll(&descriptor, 1, 50) > 0 {
          let count = unsafe read(ends[0], &buffer, buffer.count)
          if count > 0 {
            output += buffer[..<count]
            if !keepsWholeOutput, output.count > 2 * Self.tailLength {
              output.removeFirst(output.count - Self.tailLength)
            }
          } else if count == 0 || errno != EINTR {
            isOpen = false
          }
        }
      }
      let ended = unsafe wait4(child, &status, isOpen ? WNOHANG : killed == nil ? WNOHANG : 0, &usage)
      if ended == child { break }
      if !isOpen { usleep(5000) }
      let memory = ProcessMemory.resident(of: child)
      peak = max(peak, memory)
      guard killed == nil else { continue }
      if isStopped() {
        killed = .interrupted
      } else if Double(Clock.wallTime - start) / 1e9 > timeout {
        if let signal = CrashStack.signal(in: output) {
          guard Double(Clock.wallTime - start) / 1e9 > timeout + Self.timeoutForStacks else { continue }
          killed = .signal(signal)
        } else {
          killed = .hang
        }
      } else if memory > memoryBound {
        killed = .outOfMemory
      }
      if killed != nil { kill(-child, SIGKILL) }
    }
    // Whatever it started goes with it.
    kill(-child, SIGKILL)
    // The last output of the child.
    var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    while isOpen, unsafe poll(&descriptor, 1, 0) > 0 {
      let count = unsafe read(ends[0], &buffer, buffer.count)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    if !keepsWholeOutput { output = Array(output.suffix(Self.tailLength)) }
    let signal = status & 0x7F
    let end: End
    if let killed {
      end = killed
    } else if signal == 0 {
      let code = Int(status >> 8 & 0xFF)
      end = code != 0 && Self.tellsOfMemory(output) ? .outOfMemory : .exited(code)
    } else if signal == SIGXCPU {
      end = .hang
    } else if Self.tellsOfMemory(output) || signal == SIGKILL && peak > self.limits.memory / 2 {
      // The kernel's own killer leaves no word.
      end = .outOfMemory
    } else {
      end = .signal(Int(signal))
    }
    return outcome(end, output, usage, peak: peak)
  }

  /// The environment of children: nothing that pages may depend on.
  static func environment(temporaryFolder: String) -> [String: String] {
    let inherited = ProcessInfo.processInfo.environment
    var environment = ["LANG": "C.UTF-8", "TZ": "UTC", "TMPDIR": temporaryFolder]
    for name in ["PATH", "HOME", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "LD_PRELOAD"] {
      environment[name] = inherited[name]
    }
    environment["SWIFT_BACKTRACE"] = CrashStack.setting
    return environment
  }

  private static func tellsOfMemory(_ output: [UInt8]) -> Bool {
    let text = String(decoding: output, as: UTF8.self).lowercased()
    return ["out of memory", "cannot allocate memory", "bad_alloc", "memoryerror", "memory exhausted"].contains {
      text.contains($0)
    }
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
  }
}

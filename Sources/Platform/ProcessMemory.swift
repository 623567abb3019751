/// The memory of processes, as the kernel counts it.
package enum ProcessMemory {
  /// The most bytes of this process that were resident at once.
  package static var peak: Int {
    if let kilobytes = number(after: "VmHWM:", in: "/proc/self/status") { return kilobytes * 1024 }
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }

  /// The bytes of this process that are resident now.
  package static var resident: Int { residentPages(in: "/proc/self/statm") }

  /// The bytes of another process that are resident now; 0 if it has ended.
  package static func resident(of process: pid_t) -> Int { residentPages(in: "/proc/\(process)/statm") }

  /// The bytes that new work can have without swapping; nil where the kernel does not say.
  package static var available: Int? { number(after: "MemAvailable:", in: "/proc/meminfo").map { $0 * 1024 } }

  private static func residentPages(in path: String) -> Int {
    (number(after: " ", in: path) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The first number that follows a text within the first page of a file.
  private static func number(after text: String, in path: String) -> Int? {
    guard let bytes = try? SystemFile.start(of: path, count: 4096),
      let place = bytes.indices.first(where: { bytes[$0...].starts(with: text.utf8) })
    else { return nil }
    let digits = bytes[place...].dropFirst(text.utf8.count).drop { $0 == 0x20 || $0 == 0x09 }
      .prefix { (0x30...0x39).contains($0) }
    return digits.isEmpty ? nil : digits.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) }
  }
}

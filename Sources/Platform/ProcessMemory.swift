/// The memory of this process, as the kernel counts it.
package enum ProcessMemory {
  /// The most bytes that were resident at once.
  package static var peak: Int {
    if let status = Self.file("/proc/self/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    {
      let digits = line.filter(\.isNumber)
      if let kilobytes = Int(digits) { return kilobytes * 1024 }
    }
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }

  /// The bytes that are resident now.
  package static var resident: Int {
    guard let text = file("/proc/self/statm") else { return 0 }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  private static func file(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

/// The memory of this process, as the kernel counts it.
package enum ProcessMemory {
  /// The most bytes that were resident at once.
  package static var peak: Int {
    if let kilobytes = number(after: "VmHWM:", in: "/proc/self/status") { return kilobytes * 1024 }
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }

  /// The bytes that are resident now.
  package static var resident: Int {
    (number(after: " ", in: "/proc/self/statm") ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The first number that follows a text in a file of a page at most, which has both.
  private static func number(after text: StaticString, in path: String) -> Int? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    let wanted = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard
      var place = unsafe (0..<max(0, count - wanted.count)).first(where: {
        unsafe bytes[$0...].starts(with: wanted)
      })
    else { return nil }
    place += wanted.count
    while place < count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    var number: Int?
    while place < count, bytes[place] >= 0x30, bytes[place] <= 0x39 {
      number = (number ?? 0) &* 10 &+ Int(bytes[place] &- 0x30)
      place += 1
    }
    return number
  }
}

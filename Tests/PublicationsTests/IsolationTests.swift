import CIsolation
import Foundation
import Testing

/// A process for what damaged input may crash, in programs that do with their children what they like.
@Suite struct IsolationTests {
  private static let limits = isolated_limits(output: 1 << 20, memory: 1 << 28, seconds: 5)

  private static func run(_ body: @escaping @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32) -> (
    end: isolated_end, status: Int32, bytes: [UInt8]
  ) {
    var status: Int32 = -1
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let end = isolated_run(body, nil, limits, &status, &bytes, &count)
    defer { free(bytes) }
    return (
      isolated_end(UInt32(end)), status, Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    )
  }

  /// What is wrong with the answers; empty where they are right.
  private static var faults: [String] {
    var faults: [String] = []
    let done = run { _, out in
      let words = Array("some words".utf8)
      return isolated_write(out, words, words.count) == 1 ? 7 : 8
    }
    if done.end != ISOLATED_DONE || done.status != 7 || done.bytes != Array("some words".utf8) {
      faults.append("\(done)")
    }
    let crashed = run { _, out in
      let words = Array("half".utf8)
      _ = isolated_write(out, words, words.count)
      raise(SIGSEGV)
      return 0
    }
    if crashed.end != ISOLATED_FAILED || !crashed.bytes.isEmpty { faults.append("crash: \(crashed)") }
    let left = run { _, _ in
      _exit(0)
    }
    if left.end != ISOLATED_FAILED { faults.append("left: \(left)") }
    return faults
  }

  @Test func `A body's own status and bytes are its result, a crash is none`() {
    #expect(Self.faults.isEmpty)
  }

  @Test func `A program that ignores its children has the same answers`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      let faults = Self.faults
      if !faults.isEmpty { print(faults) }
      exit(faults.isEmpty ? 0 : 1)
    }
  }

  @Test func `A program that waits for any child has the same answers`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD) { _ in while waitpid(-1, nil, WNOHANG) > 0 {} }
      let faults = Self.faults
      if !faults.isEmpty { print(faults) }
      exit(faults.isEmpty ? 0 : 1)
    }
  }
}

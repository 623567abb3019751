import CSpawn

/// A child process that answers requests over its standard input, a socket. Where it dies or does not answer in time, the answer
/// is missing and nothing else happens: no signal is caught, and none reaches this process. Belongs to one thread at a time.
package final class HelperProcess: @unchecked Sendable {
  private let socket: Int32
  private let process: pid_t
  /// The process that started it. A forked child has the same socket, but the answers are not meant for it.
  private let owner = getpid()
  /// It can be asked from this process.
  package var isOwn: Bool { owner == getpid() }

  /// Starts a program in the environment of this process, with none of its files, its output and errors going nowhere.
  ///
  /// - Parameter seconds: How long a request or an answer may stand still.
  /// - Returns: nil where no process can be started.
  package init?(program: String, arguments: [String], seconds: Int) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(ends[0], SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard let process = Self.spawn(program, arguments, input: ends[1]) else {
      close(ends[0])
      close(ends[1])
      return nil
    }
    close(ends[1])
    socket = ends[0]
    self.process = process
  }

  deinit {
    close(socket)
    guard isOwn else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private static func spawn(_ program: String, _ arguments: [String], input: Int32) -> pid_t? {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    let process = unsafe cs_spawn(program, &words, input)
    return process > 0 ? process : nil
  }

  /// Sends all bytes; false where the process is gone or does not read them.
  package func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool { unsafe Self.deliver(bytes, to: socket) }

  /// Fills all bytes; false where the process is gone or sends none.
  package func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool { unsafe Self.fill(bytes, from: socket) }

  /// Sends all bytes over a socket; a peer that is gone is no signal.
  package static func deliver(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
    transfer(bytes.count) { at in
      unsafe send(socket, bytes.baseAddress.map { unsafe $0 + at }, bytes.count - at, Int32(MSG_NOSIGNAL))
    }
  }

  /// Fills all bytes from a socket.
  package static func fill(_ bytes: UnsafeMutableRawBufferPointer, from socket: Int32) -> Bool {
    transfer(bytes.count) { at in unsafe recv(socket, bytes.baseAddress.map { unsafe $0 + at }, bytes.count - at, 0) }
  }

  private static func transfer(_ count: Int, _ move: (Int) -> Int) -> Bool {
    var at = 0
    while at < count {
      let moved = move(at)
      if moved > 0 {
        at += moved
      } else if moved == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }
}

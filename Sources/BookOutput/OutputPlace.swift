import BookEngine
import Platform

/// The destination of the bytes of an output. Its path is looked up before anything is written, so that what is no
/// regular file is never replaced by one.
enum OutputPlace: Hashable {
  /// A regular file, or the name of one to be made. Symbolic links that lead to it are followed.
  case file(String)
  /// A device, a pipe, a socket or a file that is open already: it is written to as it stands.
  case node(String)

  /// Looks up where a path leads.
  init(_ path: String) throws(BookError) {
    var place = path
    for _ in 0..<Self.maximumLinks {
      var status = stat()
      guard unsafe lstat(place, &status) == 0 else {
        // Only the last name may be missing, which the making of the file finds out.
        if errno == ENOENT {
          self = .file(place)
          return
        }
        throw OutputFiles.failure(path)
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG:
        self = .file(place)
        return
      case S_IFDIR: throw BookError(.unwritable, part: path, "cannot be written: it is a folder")
      case S_IFLNK:
        let folder = OutputFiles.folder(of: place)
        // The links of procfs are no names of files but files that a process has open.
        if Self.isInProcessTable(folder) {
          self = .node(place)
          return
        }
        guard let target = Self.target(ofLink: place) else { throw OutputFiles.failure(path) }
        place = target.hasPrefix("/") ? target : OutputFiles.join(folder, target)
      default:
        self = .node(place)
        return
      }
    }
    throw OutputFiles.failure(path, ELOOP)
  }

  /// The limit of links that Linux follows in one path.
  private static let maximumLinks = 40

  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func isInProcessTable(_ folder: String) -> Bool {
    guard let status = SystemFile.status(of: folder), let processes = SystemFile.status(of: "/proc/self/fd") else {
      return false
    }
    return status.st_dev == processes.st_dev
  }

  /// Opens a node for writing; waits for the reader of a pipe.
  ///
  /// - Parameter path: as the user has given it, for the error.
  static func open(node: String, for path: String) throws(BookError) -> Int32 {
    guard let status = SystemFile.status(of: node) else { throw OutputFiles.failure(path) }
    var descriptor: Int32
    if let open = ownDescriptor(node, status) {
      // Written to where it stands, as standard output is: a second opening would begin at the file's start.
      descriptor = fcntl(open, F_DUPFD_CLOEXEC, 0)
    } else if status.st_mode & S_IFMT == S_IFSOCK {
      descriptor = connect(to: node)
    } else if status.st_mode & S_IFMT == S_IFIFO {
      descriptor = try openPipe(node)
    } else {
      descriptor = unsafe Platform.open(node, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    }
    guard descriptor >= 0 else { throw OutputFiles.failure(path) }
    return descriptor
  }

  /// The descriptor that a path such as `/dev/fd/3` names, when it is one of this process.
  private static func ownDescriptor(_ path: String, _ status: stat) -> Int32? {
    guard isInProcessTable(OutputFiles.folder(of: path)),
      let number = path.split(separator: "/").last.flatMap({ Int32($0) })
    else { return nil }
    var own = stat()
    guard unsafe fstat(number, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino else { return nil }
    return number
  }

  /// Opens a pipe when somebody reads from it, or until the run is interrupted.
  private static func openPipe(_ path: String) throws(BookError) -> Int32 {
    while true {
      let descriptor = unsafe Platform.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
        return descriptor
      }
      guard errno == ENXIO || errno == EINTR else { return -1 }
      if Interruption.isRequested { throw BookError(.interrupted, "interrupted") }
      usleep(10_000)
    }
  }

  private static func connect(to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    let isShort = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard name.count < room.count else { return false }
      unsafe room.copyBytes(from: name)
      return true
    }
    guard isShort else {
      errno = ENAMETOOLONG
      return -1
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Platform.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return descriptor }
    let error = errno
    close(descriptor)
    errno = error
    return -1
  }
}

import BookEngine

extension BookError {
  /// The exit code of the command line (sysexits.h).
  package var exitCode: Int32 {
    switch kind {
    case .unreadable, .protected, .nonconforming: 65
    case .missing: 66
    case .unavailable: 69
    case .unwritable: 73
    case .limit: 75
    case .interrupted: 130
    }
  }
}

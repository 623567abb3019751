import CTypeset
import Foundation
import TestSupport
import Testing

/// `fork()` in a process that uses the library. Each test has a process of its own.
@Suite struct ForkTests {
  private static let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

  /// What a function gives in a forked process; nil where that is ended by a signal, as it is after half a minute.
  private static func child(_ body: () -> Int32) -> Int32? {
    let process = fork()
    if process == 0 {
      alarm(30)
      _exit(body())
    }
    var status: Int32 = 0
    guard process > 0, waitpid(process, &status, 0) == process, status & 0x7F == 0 else { return nil }
    return status >> 8 & 0xFF
  }

  private static func page(of path: String) -> (book: OpaquePointer?, status: typeset_status) {
    var (book, typesetter, page): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    var status = typeset_open(path, nil, &book, nil)
    if status == TYPESET_OK { status = typeset_typesetter_new(book, nil, &typesetter, nil) }
    if status == TYPESET_OK { status = typeset_page_first(typesetter, &page, nil) }
    return (book, status)
  }

  @Test func `After use every call of a forked process is told so, and the parent goes on`() async {
    await #expect(processExitsWith: .success) {
      let path = try TestBook().epubThatStays()
      let (book, status) = Self.page(of: path)
      guard status == TYPESET_OK else { exit(1) }
      let answer = Self.child {
        var json: UnsafeMutablePointer<CChar>?
        var error: OpaquePointer?
        guard typeset_book_metadata(book, &json, &error) == TYPESET_FORKED, json == nil else { return 2 }
        guard typeset_error_status(error) == TYPESET_FORKED, typeset_error_message(error)[0] != 0 else { return 3 }
        typeset_error_free(error)
        guard Self.page(of: path).status == TYPESET_FORKED else { return 4 }
        typeset_book_free(book)
        // A child of the child.
        guard Self.child({ Self.page(of: path).status }) == Int32(TYPESET_FORKED) else { return 5 }
        return typeset_version_atleast(0, 1, 0) == 1 ? 0 : 6
      }
      exit(answer == 0 && Self.page(of: path).status == TYPESET_OK ? 0 : 7)
    }
  }

  @Test func `Before the first call a process may be forked`() async {
    await #expect(processExitsWith: .success) {
      let path = try TestBook().epubThatStays()
      guard Self.child({ Self.page(of: path).status }) == 0 else { exit(1) }
      exit(Self.page(of: path).status == TYPESET_OK ? 0 : 2)
    }
  }
}

extension TestBook {
  /// The folder of a test goes away with it, but not in a process that ends by `exit`.
  fileprivate func epubThatStays() throws -> String {
    let path = try epub(["<p>One</p>"])
    _ = Unmanaged.passRetained(self)
    return path
  }
}

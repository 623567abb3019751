import Foundation
import Platform
import Synchronization
import TestSupport
import Testing
import Typesetting

/// `fork()` in a process that has used the library. Each test has a process of its own, whose threads are known.
@Suite struct ForkedProcessTests {
  private static let fork = unsafeBitCast(
    dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

  /// Runs something in a forked child and gives its status; nil where it was ended by a signal, as it is after half a minute.
  private static func child(_ body: () async -> Int32) async -> Int32? {
    let process = fork()
    if process == 0 {
      alarm(30)
      _exit(await body())
    }
    var status: Int32 = 0
    guard process > 0, waitpid(process, &status, 0) == process, status & 0x7F == 0 else { return nil }
    return status >> 8 & 0xFF
  }

  /// Blocks the caller's thread.
  private static func open(_ path: String) throws(BookError) -> Book { try Book(contentsOf: path) }

  private static let text = String(
    repeating: "<p>" + String(repeating: "Words in a row. ", count: 60) + "</p>", count: 20)

  @Test func `A forked child opens books and sets pages`() async {
    await #expect(processExitsWith: .success) {
      let test = try TestBook()
      let path = try test.epub([Self.text, Self.text])
      let book = try Self.open(path)
      let typesetter = Typesetter(book: book)
      let first = try await typesetter.page(0, of: 0)
      let status = await Self.child {
        guard let own = try? Self.open(path) else { return 2 }
        guard let page = try? await Typesetter(book: own).page(0, of: 0), page.displayList == first.displayList else {
          return 3
        }
        guard let next = try? await typesetter.page(1, of: 0), next.index == 1 else { return 4 }
        guard (try? await Book(contentsOf: path)) != nil else { return 5 }
        var counts: PageCounts?
        for await some in typesetter.countPages() { counts = some }
        guard counts?.isExact == true else { return 6 }
        var found = 0
        for await _ in typesetter.search("Words in a row") { found += 1 }
        return found == 2400 ? 0 : 7
      }
      // The parent goes on as before.
      let isWell = (try? await typesetter.page(0, of: 1)) != nil
      if status != 0 { print("the child ended with \(status.map(String.init) ?? "a signal")") }
      exit(status == 0 && isWell ? 0 : 1)
    }
  }

  @Test func `A child of a process at work is told so at once`() async {
    await #expect(processExitsWith: .success) {
      let test = try TestBook()
      let path = try test.epub([Self.text])
      let typesetter = Typesetter(book: try Self.open(path))
      let isAtWork = Gate()
      let mayEnd = Gate()
      let work = Task.detached {
        await Worker.perform {
          isAtWork.open()
          mayEnd.wait()
        }
      }
      isAtWork.wait()
      let status = await Self.child {
        do throws(BookError) {
          _ = try Self.open(path)
          return 2
        } catch {
          guard error.kind == .unavailable else { return 3 }
        }
        do throws(PageError) {
          _ = try await typesetter.page(0, of: 0)
          return 4
        } catch {
          return error == .unavailable ? 0 : 5
        }
      }
      mayEnd.open()
      await work.value
      if status != 0 { print("the child ended with \(status.map(String.init) ?? "a signal")") }
      exit(status == 0 ? 0 : 1)
    }
  }
}

/// Opens once.
private final class Gate: Sendable {
  private let monitor = Monitor()
  private let isOpen = Lock(false)
  func open() {
    monitor.withLock {
      isOpen.withLock { $0 = true }
      monitor.signalAll()
    }
  }
  func wait() {
    monitor.withLock { while !isOpen.withLock({ $0 }) { monitor.wait() } }
  }
}

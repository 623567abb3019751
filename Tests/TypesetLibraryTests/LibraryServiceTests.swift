import CTypeset
import Foundation
import Synchronization
import TestSupport
import Testing

/// Functions of typeset.h for programs that have many books open, and read them in their own way.
@Suite struct LibraryServiceTests {
  private static func book(_ bodies: [String]) throws -> OpaquePointer {
    let archive = BookFiles(chapters: bodies).archive()
    return try LibraryTests.made { typeset_open_memory(archive, archive.count, "b.epub", nil, $0, $1) }
  }

  // MARK: Files of the caller's

  /// What a caller's functions have for a context.
  private final class Files: Sendable {
    let files: [String: [UInt8]]
    let released = Atomic<Int>(0)
    let read = Atomic<Int>(0)
    /// Turns over the bytes of the files that are encrypted.
    let hasKey: Bool

    init(_ files: [BookFiles.Entry], hasKey: Bool = true) {
      self.files = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
      self.hasKey = hasKey
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Files {
      Unmanaged<Files>.fromOpaque(context!).takeUnretainedValue()
    }

    func open(paths: String? = nil) throws(LibraryTests.Told) -> OpaquePointer {
      let list = files.keys.sorted().map { "\"\($0)\"" }.joined(separator: ",")
      let json = Array((paths ?? "[\(list)]").utf8CString)
      var files = typeset_files()
      files.size = MemoryLayout<typeset_files>.size
      files.context = Unmanaged.passRetained(self).toOpaque()
      files.file_size = { context, path in Int64(Files.of(context).files[String(cString: path!)]?.count ?? -1) }
      files.file_read = { context, path, bytes, count in
        let files = Files.of(context)
        files.read.add(1, ordering: .relaxed)
        guard let content = files.files[String(cString: path!)], content.count == count else { return 1 }
        for (index, byte) in content.enumerated() { bytes![index] = byte }
        return 0
      }
      files.release = { context in
        Unmanaged<Files>.fromOpaque(context!).takeRetainedValue().released.add(1, ordering: .relaxed)
      }
      var options = typeset_open_options()
      options.size = MemoryLayout<typeset_open_options>.size
      options.context = Unmanaged.passRetained(self).toOpaque()
      options.decrypt = { context, _, algorithm, bytes, count, plain, plainCount in
        guard Files.of(context).hasKey, String(cString: algorithm!).hasSuffix("aes256-cbc") else { return 1 }
        for index in 0..<count - 1 { plain![index] = ~bytes![index] }
        plainCount!.pointee = count - 1
        return 0
      }
      options.release = files.release
      return try json.withUnsafeBufferPointer { (json) throws(LibraryTests.Told) in
        files.paths = json.baseAddress
        return try LibraryTests.made { typeset_open_files(&files, "mine", &options, $0, $1) }
      }
    }
  }

  @Test func `A book is read by functions of the caller's, which are released once`() throws {
    let files = Files(BookFiles(chapters: LibraryTests.bodies).entries)
    let book = try files.open()
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    typeset_book_free(book)
    let page = try LibraryTests.made { typeset_page_first(typesetter, $0, $1) }
    let whole = try LibraryTests.typesetter()
    let expected = try LibraryTests.made { typeset_page_first(whole, $0, $1) }
    #expect(LibraryTests.png(page) == LibraryTests.png(expected) && files.read.load(ordering: .relaxed) > 2)
    typeset_typesetter_free(typesetter)
    #expect(files.released.load(ordering: .relaxed) == 0)
    typeset_page_free(page)
    // Those of the files and of the decryption; what works in the background lets go of it soon.
    for _ in 0..<500 where files.released.load(ordering: .relaxed) < 2 { usleep(10_000) }
    #expect(files.released.load(ordering: .relaxed) == 2)
    typeset_page_free(expected)
    typeset_typesetter_free(whole)
  }

  @Test func `Functions are released where a book cannot be opened`() {
    let none = Files([])
    let told = #expect(throws: LibraryTests.Told.self) { try none.open() }
    #expect(told?.status == TYPESET_UNREADABLE && none.released.load(ordering: .relaxed) == 2)
    let wrong = Files(BookFiles(chapters: ["<p>One</p>"]).entries)
    #expect(throws: LibraryTests.Told.self) { try wrong.open(paths: "{") }
    #expect(wrong.released.load(ordering: .relaxed) == 2)
    // A file that is listed and not there is a missing part of the book.
    let missing = Files(BookFiles(chapters: ["<p>One</p>"]).entries.filter { !$0.path.hasSuffix("c1.xhtml") })
    #expect(throws: LibraryTests.Told.self) { try missing.open(paths: #"["META-INF/container.xml"]"#) }
  }

  @Test func `Encrypted chapters are read by whoever has the key, and are protected for others`() throws {
    var files = BookFiles(chapters: ["<p>Secret words</p>"]).entries
    let chapter = try #require(files.firstIndex { $0.path.hasSuffix("c1.xhtml") })
    files[chapter].bytes = files[chapter].bytes.map { ~$0 } + [0]
    let encryption = """
      <encryption><EncryptedData><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes256-cbc'/>
      <CipherData><CipherReference URI='\(files[chapter].path)'/></CipherData></EncryptedData></encryption>
      """
    files.append(.init(path: "META-INF/encryption.xml", bytes: Array(encryption.utf8)))
    let book = try Files(files).open()
    defer { typeset_book_free(book) }
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    let found = LibraryTests.text { typeset_search(typesetter, "secret", UInt32(TYPESET_IGNORE_ALL), 0, $0, nil) }
    #expect(found?.contains("Secret") == true)
    // Without a function it is known at once.
    let folder = try TestFolder()
    for file in files { _ = try folder.write(file.bytes, to: file.path) }
    var error: OpaquePointer?
    var none: OpaquePointer?
    #expect(typeset_open(folder.path(""), nil, &none, &error) == TYPESET_PROTECTED && none == nil)
    #expect(String(cString: typeset_error_protection(error)) == "unknown")
    typeset_error_free(error)
  }

  // MARK: Faults

  @Test func `What a page and a chapter cannot show is told`() throws {
    let book = try Self.book(["<p>One</p><p><img src='none.png' alt='A map'/></p>"])
    defer { typeset_book_free(book) }
    #expect(LibraryTests.text { typeset_book_diagnostics(book, $0, nil) } == "[]")
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    let page = try LibraryTests.made { typeset_page_first(typesetter, $0, $1) }
    defer { typeset_page_free(page) }
    let told = try LibraryTests.json { typeset_page_diagnostics(page, $0, nil) } as? [[String: String]]
    #expect(told?.map { $0["kind"] } == ["imageUndecodable"])
    #expect(told?.first?["message"] == "the image none.png cannot be shown")
    #expect(told?.first?["place"]?.hasPrefix("0/") == true)
    let all = try LibraryTests.json { typeset_diagnostics(typesetter, 0, $0, nil) } as? [[String: String]]
    #expect(all == told && LibraryTests.text { typeset_diagnostics(typesetter, 1, $0, nil) } == nil)
  }

  // MARK: Memory

  private static let long = String(
    repeating: "<p>Some words that fill a line of the page, and some more.</p>", count: 120)

  @Test func `A directory that was kept tells the numbers of pages, and a damaged one is refused`() throws {
    let book = try Self.book([Self.long, Self.long])
    defer { typeset_book_free(book) }
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    var count = 0
    #expect(typeset_page_count_all(typesetter, &count, nil) == TYPESET_OK && count > 2)
    let directory = try #require(LibraryTests.text { typeset_typesetter_directory(typesetter, $0, nil) })
    func made(_ directory: String) throws -> OpaquePointer {
      var options = typeset_typesetter_options()
      options.size = MemoryLayout<typeset_typesetter_options>.size
      return try directory.withCString { text in
        options.directory = text
        return try LibraryTests.made { typeset_typesetter_new_with(book, nil, &options, $0, $1) }
      }
    }
    let again = try made(directory)
    defer { typeset_typesetter_free(again) }
    let estimate = try LibraryTests.json { typeset_page_estimate(again, $0, nil) } as? [String: Any]
    #expect(estimate?["total"] as? Int == count)
    let wrong = #expect(throws: LibraryTests.Told.self) { try made("{") }
    #expect(wrong?.status == TYPESET_UNREADABLE && wrong?.part == "directory")
  }

  @Test func `Typesetters of a pool share its budget`() throws {
    let pool = try LibraryTests.made { typeset_pool_new(1, 2, $0, $1) }
    var options = typeset_typesetter_options()
    options.size = MemoryLayout<typeset_typesetter_options>.size
    options.pool = pool
    let book = try Self.book([Self.long, Self.long])
    defer { typeset_book_free(book) }
    let typesetters = try (0..<3).map { _ in
      try LibraryTests.made { typeset_typesetter_new_with(book, nil, &options, $0, $1) }
    }
    for typesetter in typesetters {
      typeset_page_free(try LibraryTests.made { typeset_page_at(typesetter, 1, 1, $0, $1) })
    }
    func usage() throws -> [String: Int]? {
      try LibraryTests.json { typeset_pool_usage(pool, $0, nil) } as? [String: Int]
    }
    #expect(try usage()?["typesetters"] == 3 && usage()?["layouts"] == 1 && usage()?["evictedLayouts"] ?? 0 >= 2)
    #expect(typeset_typesetter_cached_bytes(typesetters[2]) > 1000)
    #expect(typeset_typesetter_release_memory(typesetters[2], nil) == TYPESET_OK)
    #expect(typeset_typesetter_cached_bytes(typesetters[2]) < 64)
    #expect(typeset_pool_release_memory(pool, nil) == TYPESET_OK)
    typeset_pool_free(pool)
    for typesetter in typesetters {
      typeset_page_free(try LibraryTests.made { typeset_page_at(typesetter, 0, 0, $0, $1) })
      typeset_typesetter_free(typesetter)
    }
    #expect(throws: LibraryTests.Told.self) { try LibraryTests.made { typeset_pool_new(0, 0, $0, $1) } }
  }

  @Test func `A call of another thread is cancelled, and later ones are not`() throws {
    let book = try Self.book([String(repeating: Self.long, count: 40)])
    defer { typeset_book_free(book) }
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    struct Handle: @unchecked Sendable { let pointer: OpaquePointer }
    let handle = Handle(pointer: typesetter)
    let isDone = Flag()
    let other = Thread {
      // Whenever the call begins, it is ended.
      while !isDone.isSet {
        _ = typeset_typesetter_cancel(handle.pointer, nil)
        usleep(1000)
      }
    }
    other.start()
    var count = 0
    #expect(typeset_page_count(typesetter, 0, &count, nil) == TYPESET_INTERRUPTED && count == 0)
    isDone.set()
    while !other.isFinished { usleep(1000) }
    #expect(typeset_page_count(typesetter, 0, &count, nil) == TYPESET_OK && count > 100)
  }

  @Test func `A cancellation ends the calls of threads that it is bound to, and no others`() throws {
    let book = try Self.book([String(repeating: Self.long, count: 40)])
    defer { typeset_book_free(book) }
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    let cancellation = try LibraryTests.made { typeset_cancellation_new($0, $1) }
    #expect(typeset_cancellation_bind(cancellation, nil) == TYPESET_OK)
    defer { typeset_cancellation_unbind() }
    struct Handles: @unchecked Sendable { let typesetter, cancellation: OpaquePointer }
    let handles = Handles(typesetter: typesetter, cancellation: cancellation)
    let counted = Flag()
    let other = Thread {
      _ = typeset_cancellation_request(handles.cancellation, nil)
      typeset_cancellation_free(handles.cancellation)
      var count = 0
      if typeset_page_count(handles.typesetter, 0, &count, nil) == TYPESET_OK, count > 100 { counted.set() }
    }
    other.start()
    // Whenever it begins, it ends: the thread keeps the cancellation that is released.
    var count = 0
    var status = TYPESET_OK
    while status == TYPESET_OK, !other.isFinished { status = Int(typeset_page_count(typesetter, 0, &count, nil)) }
    while !other.isFinished { usleep(1000) }
    #expect(typeset_page_count(typesetter, 0, &count, nil) == TYPESET_INTERRUPTED && counted.isSet)
    typeset_cancellation_unbind()
    #expect(typeset_page_count(typesetter, 0, &count, nil) == TYPESET_OK && count > 100)
  }

  /// Set once, by any thread.
  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  // MARK: Spreads

  @Test func `Spreads are reached in every way, and their pages are those of the chapter`() throws {
    let book = try Self.book([Self.long])
    defer { typeset_book_free(book) }
    let typesetter = try LibraryTests.made { typeset_typesetter_new(book, nil, $0, $1) }
    defer { typeset_typesetter_free(typesetter) }
    let first = try LibraryTests.made { typeset_spread_at(typesetter, 0, 1, $0, $1) }
    defer { typeset_spread_free(first) }
    let outline = try #require(try LibraryTests.json { typeset_spread_outline(first, $0, nil) } as? [String: Any])
    #expect(outline["width"] as? Double == 1200 && outline["isCentered"] as? Bool == false)
    let right = try #require(outline["right"] as? [String: Double])
    #expect(right == ["chapter": 0, "index": 1, "x": 600, "y": 0])
    let page = try LibraryTests.made { typeset_spread_page(first, Int32(TYPESET_RIGHT), $0, $1) }
    defer { typeset_page_free(page) }
    #expect(typeset_page_index(page) == 1)
    let next = try LibraryTests.made { typeset_spread_next(typesetter, first, $0, $1) }
    defer { typeset_spread_free(next) }
    let back = try LibraryTests.made { typeset_spread_previous(typesetter, next, $0, $1) }
    defer { typeset_spread_free(back) }
    let place = try #require(LibraryTests.text { typeset_page_start(page, $0, nil) })
    let same = try LibraryTests.made { typeset_spread_at_place(typesetter, place, $0, $1) }
    defer { typeset_spread_free(same) }
    func png(_ spread: OpaquePointer, _ scale: Double = 1) -> [UInt8]? {
      var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
      guard typeset_spread_png(spread, scale, nil, &bytes, &count, nil) == TYPESET_OK else { return nil }
      defer { typeset_free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
    let picture = try #require(png(first))
    #expect(png(back) == picture && png(same) == picture && png(next) != picture)
    // Of 1200 by 800 pixels.
    #expect(picture[16..<24].elementsEqual([0, 0, 4, 0xB0, 0, 0, 3, 0x20]) && png(first, 1000) == nil)
    #expect(throws: LibraryTests.Told.self) {
      try LibraryTests.made { typeset_spread_previous(typesetter, first, $0, $1) }
    }
    #expect(throws: LibraryTests.Told.self) { try LibraryTests.made { typeset_spread_page(first, 2, $0, $1) } }
  }
}

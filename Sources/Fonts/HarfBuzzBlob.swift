import CHarfBuzz
import Primitives

/// Bytes that HarfBuzz keeps: of a file it has mapped, copied ones, or a table of a face.
///
/// Immutable; `hb_blob_t` counts its references atomically.
@safe package final class HarfBuzzBlob: @unchecked Sendable {
  package let pointer: OpaquePointer
  private let memory: UnsafeBufferPointer<UInt8>

  /// - Parameter pointer: A blob whose reference is handed over.
  @unsafe private init(_ pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
    unsafe hb_blob_make_immutable(pointer)
    var length: UInt32 = 0
    let data = unsafe hb_blob_get_data(pointer, &length)
    unsafe memory = UnsafeBufferPointer(
      start: UnsafeRawPointer(data)?.assumingMemoryBound(to: UInt8.self), count: data == nil ? 0 : Int(length))
  }

  /// Maps a file; nil where it cannot be read.
  package convenience init?(path: String) {
    guard let blob = unsafe hb_blob_create_from_file_or_fail(path) else { return nil }
    unsafe self.init(blob)
  }

  /// Copies bytes.
  package convenience init(_ bytes: [UInt8]) {
    let blob = unsafe bytes.withUnsafeBytes { raw in
      unsafe hb_blob_create(
        raw.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(raw.count), HB_MEMORY_MODE_DUPLICATE, nil, nil)
    }
    unsafe self.init(blob!)
  }

  /// A table; empty where the face has none of the tag.
  @unsafe convenience init(table tag: UInt32, of face: OpaquePointer) {
    unsafe self.init(hb_face_reference_table(face, tag)!)
  }

  deinit { unsafe hb_blob_destroy(pointer) }

  package var count: Int { unsafe memory.count }

  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(memory.span, borrowing: self) }
  }

  /// Four bytes of a file in the machine's order; 0 behind the end.
  func nativeWord(_ offset: Int) -> UInt32 {
    offset >= 0 && offset + 4 <= count ? bytes.littleEndian(at: offset) : 0
  }
  /// Two bytes of a table, the highest first; 0 behind the end.
  package func half(_ offset: Int) -> UInt16 { SfntDirectory.half(bytes, offset) }
  /// Two bytes of a table as a number with a sign; 0 behind the end.
  func signedHalf(_ offset: Int) -> Int32 { Int32(Int16(bitPattern: half(offset))) }
  /// Four bytes of a table, the highest first; 0 behind the end.
  package func word(_ offset: Int) -> UInt32 { SfntDirectory.word(bytes, offset) }
}

import CZlib
import FoundationEssentials

/// The identities of programs.
package enum ProgramIdentity {
  /// A program's identity: checksums and size of its file. nil when there is none.
  package static func hash(_ path: String) -> String? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else { return nil }
    let sums = unsafe data.withUnsafeBytes { bytes in
      unsafe (
        crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count),
        adler32_z(1, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
      )
    }
    return hexadecimal(UInt64(sums.0) << 32 | UInt64(sums.1)) + "-\(data.count)"
  }
}

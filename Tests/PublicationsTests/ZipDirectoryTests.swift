import Foundation
import Primitives
import TestSupport
import Testing

@testable import Publications

/// An archive read by its directory is the archive that libzip reads.
@Suite struct ZipDirectoryTests {
  private let folder: TestFolder
  private let files: BookFiles

  init() throws {
    folder = try TestFolder()
    files = BookFiles(chapters: ["<p>one</p>", "<p>two</p>"], files: ["O/naïve.css": "p { color: red }"])
  }

  @Test(.enabled(if: LoadedLibrary.zip.isInstalled, "libzip is not installed"))
  func `Names, sizes, contents and the digest are those that libzip gives`() throws {
    let archive = files.archive()
    let file = try folder.write(archive, to: "book.epub")
    #expect(ZipDirectory(file: file) != nil)
    let (own, other) = (try ZipContainer(file: file), try ZipContainer(bytes: archive))
    #expect(own.paths == other.paths)
    #expect(own.packedBytes == other.packedBytes)
    for path in other.paths {
      #expect(own.size(of: path) == other.size(of: path))
      #expect(try own.read(path, limit: 1 << 20).bytes == other.read(path, limit: 1 << 20).bytes)
    }
    var hashers = [StableHasher(), StableHasher()]
    own.combineContents(into: &hashers[0], limit: .max)
    other.combineContents(into: &hashers[1], limit: .max)
    #expect(hashers[0].value == hashers[1].value)
  }

  @Test(.enabled(if: LoadedLibrary.zip.isInstalled, "libzip is not installed"))
  func `An entry that is too large, missing or damaged is the error that libzip gives`() throws {
    var archive = files.archive()
    let text = Array("<p>one</p>".utf8)
    let place = try #require(archive.indices.first { archive[$0...].starts(with: text) })
    archive[place + 3] ^= 1
    let file = try folder.write(archive, to: "book.epub")
    let (own, other) = (try ZipContainer(file: file), try ZipContainer(bytes: archive))
    for (path, limit) in [("O/c1.xhtml", 1 << 20), ("O/c2.xhtml", 5), ("nowhere", 5)] {
      let errors = [own, other].map { container in
        #expect(throws: ContainerError.self) {
          let entry = try container.read(path, limit: limit)
          if let damage = entry.damage { throw ContainerError.unreadable(damage) }
        }
      }
      #expect(errors[0] == errors[1] && errors[0] != nil)
    }
  }

  @Test func `Archives out of the ordinary are left to libzip`() throws {
    let archive = files.archive()
    let end = archive.count - 22
    func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
      var bytes = archive
      change(&bytes)
      return bytes
    }
    let start = Int(archive[end + 16]) | Int(archive[end + 17]) << 8
    let others = [
      // A comment, bytes before the beginning, another part, an encrypted entry, an unknown method, an end that is cut off.
      changed {
        $0[end + 20] = 2
        $0 += [65, 66]
      },
      [0] + archive, changed { $0[end + 4] = 1 }, changed { $0[start + 8] |= 1 }, changed { $0[start + 10] = 12 },
      Array(archive.dropLast()), [], Array("PK".utf8),
    ]
    for (index, bytes) in others.enumerated() {
      #expect(ZipDirectory(file: try folder.write(bytes, to: "\(index).epub")) == nil, "archive \(index)")
    }
    #expect(ZipDirectory(file: folder.path) == nil)
    #expect(ZipDirectory(file: folder.path("nothing")) == nil)
  }
}

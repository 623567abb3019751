/// The packs and blobs of a unit, in a baseline or in a run.
struct PageData {
  var packs: FrameSource
  var blobs: BlobStore
}

/// Page data of a run that what it was compared with has, too (snapshot harness, 3.8).
extension RunFolder {
  /// Takes out of a unit what is kept in another place, and gives the packs and blobs of that place a second name here: they take
  /// no room, and stay when the other place lets go of them. Nothing is done where the places are on two disks.
  ///
  /// - Parameter file: the unit's.
  func sharePages(of file: UnitFile, with other: PageData) {
    guard var contents = file.contents else { return }
    let folder = unitPath(file.result.key)
    var given: [String] = []
    for kind in FrameKind.allCases {
      let theirs = other.packs.paths(kind)
      for name in contents.keys.sorted() where kind.isName(name) {
        let path = Files.join(folder, name)
        guard !theirs.contains(where: { Files.isShared($0, with: path) }), let own = FramePack(path: path) else {
          continue
        }
        var left = Set(own.places.keys)
        var links: [(path: String, name: String)] = []
        for place in theirs {
          guard let pack = FramePack(path: place) else { continue }
          // Records that tell the same may have been set in other styles.
          let common = left.filter { kind == .record ? pack.frame($0) == own.frame($0) : pack.places[$0] != nil }
          if common.isEmpty { continue }
          left.subtract(common)
          guard let name = kind.contentName(of: place) else { return }
          links.append((place, name))
        }
        if links.isEmpty { continue }
        for link in links {
          let second = Files.join(folder, link.name)
          guard Files.isShared(link.path, with: second) || Files.link(link.path, as: second),
            let size = Files.size(second)
          else { return }
          contents[link.name] = FileSeal(bytes: size)
        }
        let rest = own.file(of: left)
        if let rest {
          let name = kind.name(of: rest)
          guard (try? Files.write(rest, to: Files.join(folder, name))) != nil else { return }
          contents[name] = FileSeal(bytes: rest.count)
        }
        contents[name] = nil
        given.append(path)
      }
    }
    // The result names the packs that count: until it is another, the old ones do.
    if !given.isEmpty {
      var file = file
      file.contents = contents
      guard (try? Files.write(json: file, to: Files.join(folder, UnitFile.resultName))) != nil else { return }
      for path in given { Files.remove(path) }
    }
    for hash in file.blobHashes {
      let (own, kept) = (blobs.path(hash), other.blobs.path(hash))
      if Files.exists(own), Files.exists(kept), !Files.isShared(own, with: kept) { _ = Files.link(kept, as: own) }
    }
  }
}

extension FrameKind {
  /// The name by its content that a pack has, or is to have; nil where it cannot be read.
  fileprivate func contentName(of path: String) -> String? {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    return last == name ? Files.read(path).map { name(of: $0) } : last
  }
}

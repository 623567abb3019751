extension RunReport {
  /// The place at which a cluster is seen best.
  struct ClusterPlace: Hashable {
    /// The book's file; nil where it is not known.
    var file: String?
    var key: UnitKey
    var page: Int?

    var description: String { "\(key)" + (page.map { " page \($0)" } ?? "") }
  }

  func place(of cluster: Cluster) -> ClusterPlace? {
    (cluster.representatives.first ?? cluster.members.first).map { member in
      let path = units.first { $0.key.book == member.key.book }?.path ?? ""
      return ClusterPlace(file: path.isEmpty ? nil : path, key: member.key, page: member.newPage ?? member.oldPage)
    }
  }

  /// The path of a file from the folder of the work tree on.
  static func relative(_ path: String, to root: String) -> String {
    let folder = root.hasSuffix("/") ? root : root + "/"
    return !root.isEmpty && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}

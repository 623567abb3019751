import Primitives

/// A share of the books of a corpus that has of everything: the same books each time, and nearly the same where books
/// come or go.
enum BookSample {
  /// - Parameters:
  ///   - features: by book, what it uses (`BookFacts`).
  ///   - share: of the books of each feature, at least one; over 0, up to 1.
  static func choose(_ books: [String], features: (String) -> String?, share: Double) -> Set<String> {
    let order = books.map { (rank: rank($0), book: $0) }.sorted { ($0.rank, $0.book) < ($1.rank, $1.book) }
    func count(of size: Int) -> Int { max(1, Int((Double(size) * share).rounded(.up))) }
    // The books of each feature, lowest ranks first: features choose the same books as far as they can.
    var strata: [Substring: [String]] = [:]
    for (_, book) in order {
      for feature in (features(book) ?? "?").split(separator: " ") { strata[feature, default: []].append(book) }
    }
    var chosen = Set(order.prefix(count(of: order.count)).map(\.book))
    for members in strata.values { chosen.formUnion(members.prefix(count(of: members.count))) }
    return chosen
  }

  private static func rank(_ book: String) -> UInt64 {
    var hasher = StableHasher()
    hasher.combine(book)
    return hasher.value
  }
}

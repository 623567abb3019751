import FoundationEssentials

/// Times in the form of ISO 8601, as annotations tell them.
enum Timestamp {
  /// In UTC, with a fraction only where there is one.
  static func text(_ date: Date) -> String {
    let isWhole = date.timeIntervalSince1970.rounded() == date.timeIntervalSince1970
    return date.formatted(isWhole ? .iso8601 : Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// A date and time with its offset from UTC, or a date alone, which begins in UTC; nil for all else.
  static func date(_ text: String) -> Date? {
    let styles: [Date.ISO8601FormatStyle] = [
      .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
    ]
    return styles.lazy.compactMap { try? $0.parse(text) }.first
  }
}

/// The images of pages.
enum PageImages {
  /// `page-0001.png`: at least four digits, numbered from 1.
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits + ".png"
  }
}

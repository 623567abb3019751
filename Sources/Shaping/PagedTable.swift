/// Values by characters of the first plane, in pages of 256, each made when a value of it is first set.
@safe struct PagedTable<Element: BitwiseCopyable>: ~Copyable {
  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>
  private let absent: Element

  /// - Parameter absent: The value of characters for which none has been set.
  init(absent: Element) {
    self.absent = absent
    unsafe pages = .allocate(capacity: 256)
    unsafe pages.initialize(repeating: nil, count: 256)
  }

  deinit {
    for number in 0..<256 { unsafe pages[number]?.deallocate() }
    unsafe pages.deallocate()
  }

  /// Bytes allocated.
  var byteCount: Int {
    let made = (0..<256).count { unsafe pages[$0] != nil }
    return 256 * MemoryLayout<Int>.stride + made * 256 * MemoryLayout<Element>.stride
  }

  @inline(__always)
  subscript(unit: UInt16) -> Element {
    get {
      guard let page = unsafe pages[Int(unit >> 8)] else { return absent }
      return unsafe page[Int(unit & 255)]
    }
    nonmutating set {
      let number = Int(unit >> 8)
      if unsafe pages[number] == nil {
        let page = UnsafeMutablePointer<Element>.allocate(capacity: 256)
        unsafe page.initialize(repeating: absent, count: 256)
        unsafe pages[number] = unsafe page
      }
      unsafe pages[number].unsafelyUnwrapped[Int(unit & 255)] = newValue
    }
  }
}

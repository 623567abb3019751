/// The colour space of all colours: sRGB, as a small ICC profile of version 4.2 (ICC.1:2004-10) with the curve and primaries of
/// IEC 61966-2-1, adapted to D50.
enum OutputIntent {
  static var profile: [UInt8] {
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - $0 * 8)) }
    }
    func fixed(_ value: Double) -> [UInt8] { word(UInt32(bitPattern: Int32((value * 65536).rounded()))) }
    func tag(_ name: String) -> [UInt8] { Array(name.utf8) }
    func text(_ string: String) -> [UInt8] {
      let units = Array(string.utf16)
      return tag("mluc") + word(0) + word(1) + word(12) + tag("enUS") + word(UInt32(units.count * 2)) + word(28)
        + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
    func point(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      tag("XYZ ") + word(0) + fixed(x) + fixed(y) + fixed(z)
    }
    // ((x + 0.055) / 1.055) ^ 2.4 from 0.04045 on, x / 12.92 below.
    let curve =
      tag("para") + word(0) + [0, 3, 0, 0] + fixed(2.4) + fixed(1 / 1.055) + fixed(0.055 / 1.055) + fixed(1 / 12.92)
      + fixed(0.04045)
    let adaptation =
      tag("sf32") + word(0)
      + [1.04788, 0.02292, -0.05019, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168].flatMap(fixed)
    let tags: [(name: String, data: [UInt8])] = [
      ("desc", text("sRGB")), ("cprt", text("No copyright, use freely")), ("wtpt", point(0.9642, 1, 0.8249)),
      ("chad", adaptation), ("rXYZ", point(0.43607, 0.22249, 0.01392)), ("gXYZ", point(0.38515, 0.71687, 0.09708)),
      ("bXYZ", point(0.14307, 0.06061, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var table = word(UInt32(tags.count))
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    var places: [[UInt8]: Int] = [:]
    for tag in tags {
      let offset = places[tag.data] ?? start + data.count
      if places[tag.data] == nil {
        places[tag.data] = offset
        data += tag.data
        while data.count % 4 != 0 { data.append(0) }
      }
      table += Array(tag.name.utf8) + word(UInt32(offset)) + word(UInt32(tag.data.count))
    }
    var header = word(UInt32(start + data.count)) + word(0) + word(0x0420_0000)
    header += tag("mntr") + tag("RGB ") + tag("XYZ ")
    // 1 January 2000, a date for all files.
    header += [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    header += tag("acsp") + word(0) + word(0) + word(0) + word(0) + word(0) + word(0) + word(0)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249) + word(0)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }
}

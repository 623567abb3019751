/// A drawing as a form (ISO 32000-1, section 8.10): the page of a file that cairo wrote, with the objects that it needs. The form
/// fills the unit square, as pictures do.
struct DrawingForm: PDFForm {
  private struct Object {
    var value: PDFValue
    /// The data of a stream.
    var data: [UInt8]?
    /// `value` names the filter of the data.
    var isEncoded = false
  }

  /// The form's own dictionary has references to others by their places in this list.
  private var objects: [Object] = []
  private var content: [UInt8] = []
  private var dictionary = PDFValue.dictionary([])
  private let width: Int
  private let height: Int

  /// Entries that forms do not have, or that PDF/A forbids.
  private static let dropped: [StaticString] = [
    "Font", "ProcSet", "Interpolate", "StructParents", "Metadata", "Length",
  ]
  /// What PDF/A forbids, or allows beside a profile of printing colours only.
  private static let refused: [StaticString] = ["DeviceCMYK", "JPXDecode", "LZWDecode", "JBIG2Decode", "PS"]
  private static let mostObjects = 10_000

  /// Fails where the file is not what cairo writes.
  ///
  /// - Parameters:
  ///   - bytes: A file of one page.
  ///   - width: Of the page, in points.
  ///   - photographs: Those that the drawing holds.
  init?(_ bytes: [UInt8], width: Int, height: Int, photographs: Photographs, deflater: Deflater) {
    self.width = width
    self.height = height
    guard let file = ParsedPDF(bytes), let page = file.page, let stream = file.stream(page["Contents"]),
      let content = DrawingContent.outlined(stream, resources: page["Resources"], in: file)
    else { return nil }
    self.content = deflater.compress(content)
    var copier = Copier(file: file)
    var entries: [(key: ArraySlice<UInt8>, value: PDFValue)] = []
    for key: StaticString in ["Group", "Resources"] {
      guard let value = page[key] else { continue }
      guard let copied = copier.copied(value) else { return nil }
      entries.append((PDFBytes(key).bytes[...], copied))
    }
    dictionary = .dictionary(entries)
    while objects.count < copier.queue.count {
      guard objects.count < Self.mostObjects, let source = file.object(copier.queue[objects.count]) else { return nil }
      guard let object = Self.object(source, photographs, deflater, &copier) else { return nil }
      objects.append(object)
    }
  }

  /// Numbers the objects that are referred to.
  private struct Copier {
    let file: ParsedPDF
    /// Numbers in the file, in the order of this one's.
    var queue: [Int] = []
    private var places: [Int: Int] = [:]

    init(file: ParsedPDF) { self.file = file }

    /// A value with references to places in the queue; nil where something in it is refused.
    mutating func copied(_ value: PDFValue) -> PDFValue? {
      switch value {
      case .word, .string: return value
      case .name(let name): return DrawingForm.refused.contains(where: { name.elementsEqual($0) }) ? nil : value
      case .array(let elements):
        var result: [PDFValue] = []
        for element in elements {
          guard let copied = copied(element) else { return nil }
          result.append(copied)
        }
        return .array(result)
      case .dictionary(let entries):
        var result: [(key: ArraySlice<UInt8>, value: PDFValue)] = []
        for (key, value) in entries where !DrawingForm.dropped.contains(where: { key.elementsEqual($0) }) {
          guard let copied = copied(value) else { return nil }
          result.append((key, copied))
        }
        return .dictionary(result)
      case .reference(let number):
        if let known = places[number] { return .reference(known) }
        places[number] = queue.count
        queue.append(number)
        return .reference(queue.count - 1)
      }
    }
  }

  private static func object(
    _ source: (value: PDFValue, data: ArraySlice<UInt8>?), _ photographs: Photographs, _ deflater: Deflater,
    _ copier: inout Copier
  ) -> Object? {
    guard let value = copier.copied(source.value) else { return nil }
    guard let data = source.data else { return Object(value: value) }
    let isContent = value["Subtype"]?.isName("Form") == true || value["PatternType"] != nil
    guard let decoded = copier.file.decoded(source) else {
      // Photographs.
      return isContent ? nil : Object(value: value, data: Array(data), isEncoded: true)
    }
    guard case .dictionary(var entries) = value else { return nil }
    if let photograph = photographs.file(of: value, pixels: decoded) {
      entries.removeAll { $0.key.elementsEqual("Filter") || $0.key.elementsEqual("ColorSpace") }
      entries.append(Self.entry("ColorSpace", photograph.isGray ? "DeviceGray" : "DeviceRGB"))
      entries.append(Self.entry("Filter", "DCTDecode"))
      return Object(value: .dictionary(entries), data: photograph.file, isEncoded: true)
    }
    var result = decoded
    if isContent {
      guard
        let content = DrawingContent.outlined(decoded, resources: source.value["Resources"], in: copier.file)
      else { return nil }
      result = content
    }
    entries.removeAll { $0.key.elementsEqual("Filter") }
    entries.append(Self.entry("Filter", "FlateDecode"))
    return Object(value: .dictionary(entries), data: deflater.compress(result), isEncoded: true)
  }

  private static func entry(_ key: StaticString, _ name: StaticString) -> (key: ArraySlice<UInt8>, value: PDFValue) {
    (PDFBytes(key).bytes[...], .name(PDFBytes(name).bytes[...]))
  }

  /// The bytes of all streams.
  var byteCount: Int { objects.reduce(content.count) { $0 + ($1.data?.count ?? 0) } }

  func write(as id: PDFObjectID, in file: inout PDFFile) {
    let ids = objects.map { _ in file.allocate() }
    var form = PDFBytes(formOf: width, height, fillsUnitSquare: true)
    Self.append(entriesOf: dictionary, ids, to: &form)
    form.raw("/Filter/FlateDecode")
    file.add(stream: content, form, isEncoded: true, as: id)
    for (object, id) in zip(objects, ids) {
      var body = PDFBytes()
      if let data = object.data {
        Self.append(entriesOf: object.value, ids, to: &body)
        file.add(stream: data, body, isEncoded: object.isEncoded, as: id)
      } else {
        Self.append(object.value, ids, to: &body)
        file.add(body, as: id)
      }
    }
  }

  private static func append(entriesOf dictionary: PDFValue, _ ids: [PDFObjectID], to bytes: inout PDFBytes) {
    guard case .dictionary(let entries) = dictionary else { return }
    for (key, value) in entries {
      bytes.raw("/")
      bytes.raw(key)
      append(value, ids, to: &bytes)
    }
  }

  private static func append(_ value: PDFValue, _ ids: [PDFObjectID], to bytes: inout PDFBytes) {
    switch value {
    case .word(let word):
      bytes.word(word)
    case .name(let name):
      bytes.raw("/")
      bytes.raw(name)
    case .string(let string): bytes.raw(string)
    case .array(let elements):
      bytes.raw("[")
      for element in elements { append(element, ids, to: &bytes) }
      bytes.raw("]")
    case .dictionary:
      bytes.raw("<<")
      append(entriesOf: value, ids, to: &bytes)
      bytes.raw(">>")
    case .reference(let place): bytes.reference(ids[place])
    }
  }
}

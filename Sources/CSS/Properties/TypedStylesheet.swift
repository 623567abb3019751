/// A style sheet whose declarations have been read by the property table, once for all documents that use it.
///
/// Immutable once made, and shared by the chapters of a book.
package struct TypedStylesheet: Sendable {
  /// Tells a sheet from others by where it was read, never by its rules: copies of one sheet have the same identity.
  package final class Identity: Hashable, Sendable {
    package static func == (a: Identity, b: Identity) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
  package let identity = Identity()
  package private(set) var sheet: Stylesheet
  package let context: ValueContext
  /// The longhands of all declarations, shorthands expanded, in source order. Invalid declarations have none.
  package private(set) var longhands: [TypedDeclaration] = []
  /// Custom properties and drawing properties (`DrawingProperty`): the place in `sheet.declarations`.
  package private(set) var customProperties: [UInt32] = []
  /// The math functions the `CalcID`s of `longhands` name.
  package private(set) var calculations: [Calculation] = []
  /// The `@font-face` rules of the sheet, in its order; nil for those without a family or a source that can be used.
  package private(set) var fontFaces: [FontFaceDescription?] = []
  /// Names and lines of declarations that were dropped, at most `Stylesheet.maximumFaults`.
  package private(set) var faults: [Stylesheet.Fault] = []
  /// For each declaration of the sheet its first longhand and first custom property; one entry more than declarations.
  private var firstLonghand: [UInt32] = [0]
  private var firstCustom: [UInt32] = [0]

  /// Reads the declarations of a sheet.
  package init(_ sheet: Stylesheet, context: ValueContext) {
    self.sheet = sheet
    self.context = context
    typeDeclarations()
    fontFaces = sheet.fontFaces.map { FontFaceDescription($0, in: self) }
  }
  /// Parses and reads a sheet.
  package init(parsing source: [UInt8], context: ValueContext) {
    self.init(Stylesheet(parsing: source), context: context)
  }

  /// The longhands of a declaration list that stands in no sheet.
  package static func declarations(_ text: String) -> [TypedDeclaration] {
    var sheet = TypedStylesheet(Stylesheet(), context: ValueContext())
    _ = sheet.appendDeclarationList(Array(text.utf8)[...])
    return sheet.longhands
  }

  /// Parses a list of declarations, such as a `style` attribute, and appends it.
  ///
  /// - Returns: the range of the new declarations.
  package mutating func appendDeclarationList(_ source: ArraySlice<UInt8>, line: UInt32 = 1) -> Range<UInt32> {
    let range = sheet.appendDeclarationList(source, line: line)
    typeDeclarations()
    return range
  }
  /// The longhands of a range of declarations, as a range of `longhands`.
  package func longhands(of declarations: Range<UInt32>) -> Range<Int> {
    Int(firstLonghand[Int(declarations.lowerBound)])..<Int(firstLonghand[Int(declarations.upperBound)])
  }
  /// The custom properties of a range of declarations, as a range of `customProperties`.
  package func customProperties(of declarations: Range<UInt32>) -> Range<Int> {
    Int(firstCustom[Int(declarations.lowerBound)])..<Int(firstCustom[Int(declarations.upperBound)])
  }

  private mutating func typeDeclarations() {
    let table = PropertyTable.standard
    for index in firstLonghand.count - 1..<sheet.declarations.count {
      let declaration = sheet.declarations[index]
      if declaration.isCustomProperty {
        if sheet.value(of: declaration).usesReferences() != nil {
          customProperties.append(UInt32(index))
        } else {
          drop(declaration)
        }
      } else if let place = table.place(of: sheet.name(of: declaration)) {
        let value = sheet.value(of: declaration)
        var parser = ValueParser(value, context: context, calculations: calculations)
        calculations = []
        if let values = table.parse(place, &parser) {
          for (id, value) in values {
            longhands.append(TypedDeclaration(id, value, isImportant: declaration.isImportant))
          }
        } else if value.usesReferences() == true {
          let pending = PropertyValue.variable(VariableValue(property: place, tokens: declaration.value))
          for id in table.longhands(place) {
            longhands.append(TypedDeclaration(id, pending, isImportant: declaration.isImportant))
          }
        } else {
          drop(declaration)
        }
        calculations = parser.calculations
      } else if DrawingProperty.names.contains(sheet.name(of: declaration)) {
        customProperties.append(UInt32(index))
      }
      firstLonghand.append(UInt32(longhands.count))
      firstCustom.append(UInt32(customProperties.count))
    }
  }

  private mutating func drop(_ declaration: Declaration) {
    guard faults.count < Stylesheet.maximumFaults else { return }
    faults.append(Stylesheet.Fault(line: declaration.line, message: "invalid value of \(sheet.name(of: declaration))"))
  }
}

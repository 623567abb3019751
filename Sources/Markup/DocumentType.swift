/// A document type declaration.
package struct DocumentType: Hashable, Sendable {
  package var name = ""
  package var publicIdentifier: String?
  package var systemIdentifier: String?
  /// The declaration is so faulty that HTML gives its page no other mode.
  package var forcesQuirks = false

  /// The mode HTML gives a page with this declaration (HTML, section 13.2.6.4.1).
  package var mode: Document.Mode {
    guard !forcesQuirks, name == "html" else { return .quirks }
    let publicID = publicIdentifier?.lowercased() ?? ""
    if systemIdentifier?.lowercased() == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" { return .quirks }
    for prefix in Self.quirkPrefixes where publicID.hasPrefix(prefix) { return .quirks }
    if publicID == "html" || publicID == "-/w3c/dtd html 4.0 transitional/en" { return .quirks }
    let isLoose =
      publicID.hasPrefix("-//w3c//dtd html 4.01 frameset//")
      || publicID.hasPrefix("-//w3c//dtd html 4.01 transitional//")
    if isLoose { return systemIdentifier == nil ? .quirks : .limitedQuirks }
    let isLooseXHTML =
      publicID.hasPrefix("-//w3c//dtd xhtml 1.0 frameset//")
      || publicID.hasPrefix("-//w3c//dtd xhtml 1.0 transitional//")
    return isLooseXHTML ? .limitedQuirks : .noQuirks
  }

  private static let quirkPrefixes = [
    "-//ietf//dtd html", "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental", "-//w3c//dtd w3 html", "-//w3o//dtd w3 html", "-//netscape comm",
    "-//microsoft//dtd",
    "-//sun microsystems", "-//softquad", "-//as//dtd html", "-//metrius//dtd", "-//o'reilly and associates//dtd html",
    "-//advasoft ltd//dtd", "-//webtechs//dtd", "-//spyglass//dtd", "-//sq//dtd", "+//silmaril//dtd",
  ]
}

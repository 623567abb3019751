import Markup
import Primitives

/// Reads the navigation of EPUB 2: `navMap` and `pageList` of an NCX (DAISY, ANSI/NISO Z39.86).
enum NCX {
  static func read(_ document: Document, path: String) -> Navigation {
    var navigation = Navigation()
    let root = Document.documentNode
    if let map = document.firstDescendant(of: root, named: "navMap")
      ?? document.firstDescendant(of: root, named: "navmap")
    {
      navigation.tableOfContents = entries(document, map, names: ["navPoint", "navpoint"], path: path)
    }
    if let list = document.firstDescendant(of: root, named: "pageList")
      ?? document.firstDescendant(of: root, named: "pagelist")
    {
      navigation.pageList = entries(document, list, names: ["pageTarget", "pagetarget"], path: path)
    }
    return navigation
  }

  private static func entries(_ document: Document, _ list: NodeID, names: [String], path: String) -> [NavigationEntry]
  {
    let atoms = names.compactMap { document.names.lookup($0) }
    var entries: [NavigationEntry] = []
    var levels: [Int] = []
    for index in list.index + 1..<max(document[list].subtreeEnd.index, list.index + 1) {
      while let last = levels.last, index >= last { levels.removeLast() }
      let node = document.nodes[index]
      guard node.kind == .element, atoms.contains(node.name) else { continue }
      var title = ""
      var target: ResourcePath?
      for child in document.children(of: NodeID(index)) where document[child].kind == .element {
        switch document.localName(of: child).lowercased() {
        case "navlabel": if title.isEmpty { title = document.collapsedText(of: child) }
        case "content":
          target = document.value(of: "src", on: child).flatMap { ResourcePath.resolve($0, relativeTo: path) }
        default: break
        }
      }
      entries.append(NavigationEntry(title: title, target: target, level: levels.count))
      levels.append(node.subtreeEnd.index)
    }
    return entries
  }
}

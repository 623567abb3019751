package import Primitives

/// A token: the output of the tokenization stage of HTML's parser, from which trees are made (HTML, section 13.2.5).
package enum HTMLToken {
  /// Bytes of the source that are text as they stand.
  case text(Range<Int>)
  /// Text that stands for something else in the source: a character reference, a line end.
  case characters(String)
  /// U+0000 where tree construction decides what becomes of it.
  case null
  case startTag(HTMLTag)
  case endTag(Atom)
  /// The bytes between the marks of a comment.
  case comment(Range<Int>)
  case documentType(DocumentType)
}

/// A start tag.
package struct HTMLTag {
  package struct Attribute {
    /// The name in lower case with its prefix; SVG's capitals come with the insertion into SVG.
    package var name: Atom
    package var namespace: Namespace
    /// UTF-8 with references resolved.
    package var value: [UInt8]
  }

  /// The name in lower case, without a prefix that names a namespace.
  package var name: Atom
  /// Each name once; declarations of namespaces are left out.
  package var attributes: [Attribute] = []
  package var isSelfClosing = false
  /// Set by a customary prefix in the source: `svg:rect`.
  package var namespace: Namespace?
  /// The line of the source, from 1, on which the tag ends.
  package var line: UInt32
}

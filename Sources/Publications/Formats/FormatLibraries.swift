import CKindle
import CLibZip
import CMarkdown
import Markup
package import Primitives

extension OptionalLibrary {
  static var libmobi: Self {
    unsafe Self("libmobi", purpose: "MOBI and AZW3 books", missingFile: kindle_missing_library())
  }
  static var cmark: Self {
    unsafe Self(
      "cmark-gfm", purpose: "Markdown, which is set as plain text else", missingFile: markdown_missing_library())
  }
  static var libzip: Self {
    unsafe Self(
      "libzip", purpose: "archives that are damaged or packed in rare ways", missingFile: libzip_missing_library())
  }

  /// What books of all formats are read with.
  package static var ofFormats: [Self] { [libmobi, cmark, libzip, pcre2] }
}

extension TypesettingSettings {
  /// One row a setting, but for the theme's colours and the limits, which belong to programs.
  package static let table: [Setting] = page + text + lines

  private static let page: [Setting] = [
    .size("pageSize", \.pageSize, 32...16384, .layout),
    .length("marginTop", \.marginTop, .layout),
    .length("marginRight", \.marginRight, .layout),
    .length("marginBottom", \.marginBottom, .layout),
    .length("marginLeft", \.marginLeft, .layout),
    .parts(
      "pageDesign", \.pageDesign,
      [
        "bookSize": .bookSize, "bookMargins": .bookMargins, "folios": .folios, "runningHeads": .runningHeads,
        "mirroredMargins": .mirroredMargins,
      ], .layout),
    .number("scale", \.scale, 0.01...64, .drawing),
    .choice("media", \.media, .styles).option("media", "Which @media rules apply."),
  ]

  private static let text: [Setting] = [
    .number("fontSize", \.fontSize, 1...1000, unit: " px", .layout),
    .number("lineHeight", \.lineHeight, 0.1...20, .layout)
      .option("line-height", "Line height of body text as a multiple of the font size."),
    .number("letterSpacing", \.letterSpacing, -0.2...2, .styles)
      .option("letter-spacing", "Space between letters, in em."),
    .number("wordSpacing", \.wordSpacing, -0.2...4, .styles)
      .option("word-spacing", "Space added to that between words, in em."),
    .number("paragraphSpacing", \.paragraphSpacing, 0...20, .styles)
      .option("paragraph-spacing", "Space between paragraphs, in em."),
    .number("paragraphIndent", \.paragraphIndent, 0...20, .styles)
      .option("paragraph-indent", "Indent of first lines of paragraphs, in em."),
    .choice("legibility", \.legibility, .styles).option(
      "legibility",
      """
      Text that is easier to read, where no other option says anything: for readers with dyslexia letters, words and \
      lines are farther apart, and lines ragged.
      """),
    .texts("fontFamily", \.fontFamily, .styles)
      .option("font-family", "Families for body text, separated by commas."),
    .text("serif", \.serif, .styles).option("serif", "What serif stands for."),
    .text("sans", \.sans, .styles).option("sans", "What sans-serif stands for."),
    .text("mono", \.mono, .styles).option("mono", "What monospace stands for."),
    .texts("fontDirectories", \.fontDirectories, .styles),
    .flag("usesSystemFonts", \.usesSystemFonts, .styles),
    .flag("publisherStyles", \.publisherStyles, .styles)
      .option("publisher-styles", "Whether the book's own style sheets count."),
    .properties("ignoredProperties", \.ignoredProperties, .styles)
      .option("ignore-properties", "CSS properties that the book does not set, separated by commas: text-align,color."),
    .flag("showsRuby", \.showsRuby, .styles).option("ruby", "Whether readings above or beside characters are shown."),
    .text("userStyleSheet", \.userStyleSheet, .styles),
    .choice("style", \.style, .styles).option(
      "style",
      """
      What holds where neither the book nor these options say anything: the initial values of CSS, or our best \
      practice for each language (indents, justification, spacing of marks).
      """),
    .choice("notes", \.notes, .styles).option(
      "notes",
      "Where notes stand that the book marks as such: where it has them, or at the foot of the page of their mark."),
  ]

  private static let lines: [Setting] = [
    .choice("hyphenate", \.hyphenate, .styles).option("hyphenate", "Hyphenation; auto is as the book says."),
    .text("hyphenationExceptions", \.hyphenationExceptions, .styles),
    .flag("hyphenatesCapitals", \.hyphenatesCapitals, .styles),
    .choice("justify", \.justify, .styles).option("justify", "Justification; auto is as the book says."),
    .flag("reducesStops", \.reducesStops, .styles).option(
      "reduce-stops",
      "Whether 。！？ within a line may give up their blank half in Chinese set in the house style."),
    .flag("baselineGrid", \.baselineGrid, .layout)
      .option("baseline-grid", "Whether lines of body text stand on one grid on all pages."),
    .flag("characterGrid", \.characterGrid, .styles).option(
      "character-grid",
      "Whether Chinese and Japanese characters stand in columns, with Western words between them in whole ems."),
    .count("columns", \.columns, 1...20, .styles),
    .flag("balancesPages", \.balancesPages, .layout)
      .option("balance-pages", "Whether facing pages end at the same depth."),
    .choice("compose", \.compose, .layout).option(
      "compose",
      """
      Whether pages are filled line by line, or paragraphs set in one line more or less where that fills a page, keeps \
      a rule of breaking or spares the chapter a last page of a few lines; auto is pages in the house style.
      """),
    .choice("micro", \.micro, .layout).option(
      "micro",
      """
      Whether glyphs and letters of justified lines in Latin, Greek and Cyrillic take part in justification, by 2 % of \
      their width and 1 % of an em at most; auto is on in the house style.
      """),
  ]
}

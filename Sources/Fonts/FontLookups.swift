package import CHarfBuzz
import Primitives

/// The lookups of GSUB or GPOS that features turn on in text of one script and language (OpenType 1.9, Common Table Formats).
package struct FontLookups {
  /// In the order they are applied in, if `isOnePass`.
  package let indices: [UInt32]
  /// HarfBuzz goes over the text once for all of the lookups: what the language requires, and `rvrn`, may go before the
  /// others.
  package let isOnePass: Bool
  /// The feature `kern` is among those that are on.
  package let hasKerning: Bool

  /// - Parameters:
  ///   - table: the tag of GSUB or GPOS.
  ///   - script: an ISO 15924 tag.
  ///   - language: a BCP 47 tag.
  ///   - features: the tags of what is on; a feature the language requires is on whatever they say.
  package init(
    of face: HarfBuzzFace, in table: hb_tag_t, script: UInt32, language: String?, features active: Set<UInt32>
  ) {
    let face = unsafe face.pointer
    var scriptTags = [hb_tag_t](repeating: 0, count: 3)
    var languageTags = [hb_tag_t](repeating: 0, count: 3)
    var scriptCount: UInt32 = 3
    var languageCount: UInt32 = 3
    unsafe hb_ot_tags_from_script_and_language(
      hb_script_from_iso15924_tag(script), language.flatMap { unsafe hb_language_from_string($0, -1) }, &scriptCount,
      &scriptTags, &languageCount, &languageTags)
    var scriptIndex: UInt32 = 0
    var chosen: hb_tag_t = 0
    unsafe hb_ot_layout_table_select_script(face, table, scriptCount, scriptTags, &scriptIndex, &chosen)
    var languageIndex: UInt32 = 0
    unsafe hb_ot_layout_script_select_language(face, table, scriptIndex, languageCount, languageTags, &languageIndex)

    var features: [UInt32] = []
    var hasKerning = false
    var isOnePass = true
    var required: UInt32 = 0
    if unsafe hb_ot_layout_language_get_required_feature_index(face, table, scriptIndex, languageIndex, &required) != 0
    {
      features.append(required)
      isOnePass = false
    }
    let total = unsafe hb_ot_layout_language_get_feature_indexes(face, table, scriptIndex, languageIndex, 0, nil, nil)
    var indices = [UInt32](repeating: 0, count: Int(total))
    var count = total
    unsafe hb_ot_layout_language_get_feature_indexes(face, table, scriptIndex, languageIndex, 0, &count, &indices)
    var tags = [hb_tag_t](repeating: 0, count: Int(total))
    var tagCount = total
    unsafe hb_ot_layout_language_get_feature_tags(face, table, scriptIndex, languageIndex, 0, &tagCount, &tags)
    for position in 0..<Int(Swift.min(count, tagCount)) where active.contains(tags[position]) {
      features.append(indices[position])
      if tags[position] == UInt32(tag: "kern") { hasKerning = true }
      if tags[position] == UInt32(tag: "rvrn") { isOnePass = false }
    }

    let lookups = HarfBuzzSet()
    for feature in features {
      var lookupCount = unsafe hb_ot_layout_feature_get_lookups(face, table, feature, 0, nil, nil)
      var list = [UInt32](repeating: 0, count: Int(lookupCount))
      unsafe hb_ot_layout_feature_get_lookups(face, table, feature, 0, &lookupCount, &list)
      for lookup in list.prefix(Int(lookupCount)) { lookups.insert(lookup) }
    }
    self.indices = lookups.elements
    self.hasKerning = hasKerning
    self.isOnePass = isOnePass
  }
}

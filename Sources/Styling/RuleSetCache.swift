import CSS
import Platform
import Primitives
import Synchronization

/// The rule sets of a book, each made once for all chapters that use the same sheets in the same media environment.
package final class RuleSetCache: Sendable {
  struct Key: Hashable {
    var sheets: [TypedStylesheet.Identity]
    var layers: [LayerRanks]
    var media: MediaEnvironment
  }
  /// Books have a few lists of sheets; a book whose chapters have each their own `<style>` gains nothing from more.
  private static let capacity = 16

  private let sets = Lock<[Key: RuleSet]>([:])

  package init() {}

  /// The rules of `sources`. Chapters that ask for them at once may each make them; all get equal sets.
  func ruleSet(_ sources: [CascadeSource], media: MediaEnvironment) -> RuleSet {
    let key = Key(sheets: sources.map(\.sheet.identity), layers: sources.map(\.layers), media: media)
    if let known = sets.withLock({ $0[key] }) { return known }
    let made = RuleSet(
      sources.map { RuleSet.Source($0.sheet.sheet, $0.origin, layers: $0.layers) }, media: media,
      supports: PropertyTable.supports)
    sets.withLock { if $0.count < Self.capacity { $0[key] = made } }
    return made
  }
}

import CSS

extension StyleBuilder {
  /// The one function of `translate`, `rotate` or `scale`; `none` is nil inside.
  private var singleTransform: TransformFunction?? {
    if case .transform(let functions) = value { .some(computed(functions).first) } else { nil }
  }

  /// The functions of `filter` or `backdrop-filter`.
  var filters: [FilterFunction]? {
    if case .filters(let filters) = value { filters.map { $0.mapping { self.computed($0) } } } else { nil }
  }
  func inherited(_ filters: [FilterFunction]) -> [FilterFunction] {
    filters.map { $0.mapping { self.inherited($0) } }
  }

  func apply(_ id: EffectProperty) {
    switch id {
    case .opacity: assign(&box.opacity, number, parentBox.opacity)
    case .transform:
      if case .transform(let functions) = value {
        box.transform = computed(functions)
      } else {
        assign(&box.transform, nil, inherited(parentBox.transform))
      }
    case .translate: assign(&box.translate, singleTransform, inherited(parentBox.translate))
    case .rotate: assign(&box.rotate, singleTransform, parentBox.rotate)
    case .scale: assign(&box.scale, singleTransform, parentBox.scale)
    case .transformOrigin:
      if case .transformOrigin(let position, let z) = value {
        box.transformOrigin = computed(position)
        setRare(\.transformOriginZ, computed(z))
      } else {
        assign(&box.transformOrigin, nil, inherited(parentBox.transformOrigin))
        if takesOther {
          setRare(\.transformOriginZ, parentBox.rare.map { inherited($0.values.transformOriginZ) } ?? .zero)
        }
      }
    case .filter:
      assign(&box.filter, filters, inherited(parentBox.filter))
    case .mixBlendMode: assign(&box.blendMode, keyword(), parentBox.blendMode)
    case .isolation: assign(&box.isIsolated, integer.map { $0 != 0 }, parentBox.isIsolated)
    case .clipPath:
      if case .clipPath(let path) = value {
        box.clipPath = computed(path)
      } else {
        assign(&box.clipPath, optional(nil as ClipPath?), inherited(parentBox.clipPath))
      }
    }
  }
}

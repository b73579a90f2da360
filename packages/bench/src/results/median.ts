/** The middle of the figures, or the mean of the two in the middle. Throws when there are none. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5)
}

/** The figure below which a share (0 to 1) of the figures lies, between two of them in proportion. Throws when there are none. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new Error('There are no figures to take one from.')
  return below + (above - below) * (place - Math.floor(place))
}

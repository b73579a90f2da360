/** Returns the median. Throws without figures. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5)
}

/** Returns the quantile for a share from 0 to 1, interpolated linearly. Throws without figures. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new Error('There are no figures to take one from.')
  return below + (above - below) * (place - Math.floor(place))
}

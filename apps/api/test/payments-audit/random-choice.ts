/** Chooses one of a list. */
export function pick<T>(list: readonly T[], random: () => number): T {
  const chosen = list[Math.floor(random() * list.length)]
  if (chosen === undefined) throw new Error('There is nothing to choose from')
  return chosen
}

/** Chooses by weight. */
export function pickWeighted<T extends { weight: number }>(list: readonly T[], random: () => number): T {
  const total = list.reduce((sum, { weight }) => sum + weight, 0)
  let left = random() * total
  for (const one of list) {
    left -= one.weight
    if (left < 0) return one
  }
  throw new Error('There is nothing to choose from')
}

type Day = { year: number; month: number; day: number }

/** Returns the last day on which a pause may end: the same day a year later. */
export function latestPauseEnd({ year, month, day }: Day): Day {
  const isLeapDay = month === 2 && day === 29
  return { year: year + 1, month, day: isLeapDay ? 28 : day }
}

/** Time and randomness for the page; tests pass their own. */
export type Clock = {
  /** Returns the current instant on the reader's clock. */
  now: () => Date
  /** Returns the name of the reader's time zone. */
  timeZone: () => string
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number
}

/** The browser's clock and random numbers: the only place that reads them. */
export const browserClock: Clock = {
  now: () => new Date(),
  // Faster than the first `Intl.DateTimeFormat` of a page, where the browser has it.
  timeZone: () =>
    typeof Temporal !== 'undefined'
      ? Temporal.Now.timeZoneId()
      : new Intl.DateTimeFormat().resolvedOptions().timeZone,
  random: () => Math.random(),
}

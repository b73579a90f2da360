/** Time and chance as the page gets them; tests hand in their own. */
export type Clock = {
  /** The present instant on the reader's own clock. */
  now: () => Date
  /** A number from 0 up to, but not including, 1. */
  chance: () => number
}

/** The browser's own clock and chance: the one place that reads them. */
export const browserClock: Clock = { now: () => new Date(), chance: () => Math.random() }

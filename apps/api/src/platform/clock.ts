/** The source of time, injected everywhere so that tests can move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Returns a clock that only moves when told to; for tests and for seeding past days. */
export function createFixedClock(
  start: Date,
): Clock & { moveTo(instant: Date): void; pass(ms: number): void } {
  let instant = start
  return {
    now: () => new Date(instant),
    moveTo(next) {
      instant = next
    },
    pass(ms) {
      instant = new Date(instant.getTime() + ms)
    },
  }
}

import type { Clock } from '#platform/clock.ts'

/** Returns a clock that only moves when told to. */
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

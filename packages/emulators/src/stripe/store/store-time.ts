import type { Settings } from './settings.ts'
import type { Store } from './store.ts'

type Deps = {
  now: () => Date
  settings: Settings
  /** Returns the time of a test clock; undefined for an unknown one. */
  frozenTime: (testClockId: string) => number | undefined
}

/** Creates the time of a store in seconds: the wall clock, moved by `advance`, or that of a test clock. */
export function createStoreTime({ now, settings, frozenTime }: Deps) {
  let addedSeconds = Number(settings.get('added-seconds') ?? 0)
  const overrides = new Map<string, number>()

  function wallTime() {
    return Math.floor(now().getTime() / 1000)
  }

  const at: Store['at'] = (time, testClockId, run) => {
    const clock = testClockId ?? ''
    const former = overrides.get(clock)
    overrides.set(clock, time)
    try {
      return run()
    } finally {
      if (former === undefined) overrides.delete(clock)
      else overrides.set(clock, former)
    }
  }

  return {
    wallTime,
    timeOf(testClockId: string | null | undefined): number {
      const moment = overrides.get(testClockId ?? '')
      if (moment !== undefined) return moment
      const frozen = testClockId ? frozenTime(testClockId) : undefined
      return frozen ?? wallTime() + addedSeconds
    },
    at,
    advance(seconds: number) {
      addedSeconds += seconds
      settings.set('added-seconds', addedSeconds)
    },
  }
}

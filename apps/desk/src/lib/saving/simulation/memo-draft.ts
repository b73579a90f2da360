import type { KeptWords, SaveOutcome } from '../draft-state.ts'
import { createTextDraft } from '../text-draft.ts'
import type { Stored } from '../text-fields.ts'

export type Memo = { title: string; text: string; source: string }

const first: Stored<Memo> = {
  text: { title: 'Old', text: 'Words', source: '' },
  version: 5,
  savedBy: 'Mara Lind',
  savedAt: '2041-01-01T00:00:00Z',
}

/** Returns the text of a version, with some other fields than the first one. */
export const stored = (version: number, text: Partial<Memo>): Stored<Memo> => ({
  ...first,
  version,
  text: { ...first.text, ...text },
})

/** Creates a draft with a server that replies when the test says so, and a clock that the test moves. */
export function createDesk() {
  const saves: { change: Partial<Memo>; version: number; key: string }[] = []
  const replies: ((outcome: SaveOutcome<Memo>) => void)[] = []
  const timers: { ms: number; run: () => void }[] = []
  const device: { kept: KeptWords<Memo> | null } = { kept: null }
  const events: string[] = []
  let ids = 0
  const draft = createTextDraft<Memo>(first, {
    save: (change, { version, key }) => {
      saves.push({ change, version, key })
      return new Promise((resolve) => replies.push(resolve))
    },
    async keep(words) {
      device.kept = words
    },
    async forget() {
      device.kept = null
    },
    after(ms, run) {
      const timer = { ms, run }
      timers.push(timer)
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
    },
    now: () => 1_000,
    newId: () => `key ${++ids}`,
    onSessionEnd: () => events.push('session ended'),
  })
  /** Lets the time pass until the next timer. Returns how long it waited. */
  const pass = () => {
    const timer = timers.shift()
    timer?.run()
    return timer?.ms ?? null
  }
  const reply = async (outcome: SaveOutcome<Memo>) => {
    replies.shift()?.(outcome)
    await Promise.resolve().then(() => null)
    for (let turns = 0; turns < 5; turns++) await Promise.resolve()
  }
  return { draft, saves, device, events, pass, reply }
}

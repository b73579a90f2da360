import type { KeptWords, SaveOutcome } from '../draft-state.ts'
import { createTextDraft } from '../text-draft.ts'
import { differing, type Stored } from '../text-fields.ts'
import type { FakeClock } from './fake-clock.ts'
import type { FakeServer, Fields } from './fake-text-server.ts'
import type { Random } from './random.ts'

/** The words that a device keeps, by the tab that kept them. */
export type Device = Map<string, KeptWords<Fields>>

export type Name = keyof Fields
export const names = ['title', 'text', 'source'] as const

export type Network = { isBad: boolean }

type Options = {
  id: string
  person: string
  server: FakeServer
  clock: FakeClock
  random: Random
  network: Network
  device: Device
  /** Tells the tabs that the text was saved. */
  announce: () => void
}

export type WritingTab = ReturnType<typeof openTab>

const longestDelayMs = 3_000
const timeoutMs = 20_000

/** Opens a tab in which a person writes the text of a server, over a network that loses and delays. */
export function openTab({ id, person, server, clock, random, network, device, announce }: Options) {
  let [isClosed, isSignedOut, ids] = [false, false, 0]
  let focused: Name | null = null
  let isChoosing = false
  let cache = server.read()

  /** Shows a text that was read, unless it is the same as before. */
  function show(stored: Stored<Fields>): void {
    const isSame = stored.version === cache.version && differing(stored.text, cache.text).length === 0
    cache = stored
    if (!isSame) draft.receive(stored)
  }

  const send = <Reply>(work: () => Reply, lost: Reply) => sendOver({ network, random, clock }, work, lost)

  async function save(
    change: Partial<Fields>,
    { version, key }: { version: number; key: string },
  ): Promise<SaveOutcome<Fields>> {
    const work = (): SaveOutcome<Fields> => {
      if (isSignedOut) return { kind: 'signed-out' }
      const outcome = server.save({ change, version, key, by: id })
      if (outcome.kind === 'saved') announce()
      return outcome
    }
    const outcome = await send<SaveOutcome<Fields>>(work, { kind: 'unreachable' })
    // A closed tab learns nothing.
    if (isClosed) return await new Promise(() => {})
    if (outcome.kind === 'saved') show(outcome.stored)
    return outcome
  }

  const draft = createTextDraft<Fields>(cache, {
    save,
    async keep(words) {
      if (!isClosed) device.set(id, words)
    },
    async forget() {
      if (!isClosed) device.delete(id)
    },
    after: (ms, run) => clock.after(ms, () => (isClosed ? undefined : run())),
    now: clock.now,
    newId: () => `${id} ${++ids}`,
    onSessionEnd: () => undefined,
  })

  return {
    id,
    person,
    draft,
    focused: () => focused,
    isClosed: () => isClosed,
    focus(name: Name | null): void {
      focused = name
      draft.focus(name)
      if (name === null) void draft.flush()
    },
    /** Reads the text again. */
    async read(): Promise<void> {
      const read = await send<Stored<Fields> | null>(server.read, null)
      if (isClosed) return
      if (read !== null) show(read)
      else clock.after(1_000, () => void this.read())
    },
    /** Makes the text public, or goes back to the public one, if the server has all of it. */
    async end(how: 'publish' | 'discard'): Promise<void> {
      if (!draft.isSaved() || !draft.isShown()) return
      const { version } = draft.getState().stored
      const work = () => {
        const stored = server[how](version)
        if (stored !== null) announce()
        return stored
      }
      const stored = await send(work, null)
      if (isClosed || stored === null) return
      isChoosing = true
      void draft.restart(stored)
      isChoosing = false
      cache = stored
    },
    /** Puts words back, in place of what is there. */
    putBack(words: KeptWords<Fields>): void {
      isChoosing = true
      void draft.putBack(words)
      isChoosing = false
    },
    isChoosing: () => isChoosing,
    signOut(): void {
      isSignedOut = true
    },
    async signIn(): Promise<void> {
      isSignedOut = false
      await draft.resume()
    },
    /** Ends the tab at once. Its device keeps what it has. */
    crash(): void {
      isClosed = true
    },
  }
}

/** Sends a request, which the server may get late, twice or never. */
function sendOver<Reply>(
  { network, random, clock }: Pick<Options, 'network' | 'random' | 'clock'>,
  work: () => Reply,
  lost: Reply,
): Promise<Reply> {
  const delay = () => (network.isBad ? random.below(longestDelayMs) : 20)
  return new Promise((resolve) => {
    if (network.isBad && random.is(0.15)) {
      clock.after(delay(), () => resolve(lost))
      return
    }
    const isLate = network.isBad && random.is(0.1)
    if (isLate) clock.after(timeoutMs, () => resolve(lost))
    const arrives = delay() + (isLate ? timeoutMs + random.below(timeoutMs) : 0)
    clock.after(arrives, () => {
      const reply = work()
      const isLost = network.isBad && random.is(0.15)
      clock.after(delay(), () => resolve(isLost ? lost : reply))
    })
  })
}

import {
  type Change,
  type Draft,
  markKept,
  nextChange,
  putWords,
  replaceFields,
  restartWith,
  takeHeld,
  takeStored,
  unknownWords,
  unsavedNames,
  withOutcome,
  withoutConflict,
  wordsToKeep,
} from './draft-merging.ts'
import {
  type DraftDeps,
  type DraftState,
  type KeptWords,
  readState,
  type SaveOutcome,
} from './draft-state.ts'
import { pick, type Stored } from './text-fields.ts'

const pauseMs = 800
const firstRetryMs = 1_000
const longestRetryMs = 30_000

/** A save without a reply yet. It is repeated as it is, with the same key. */
type Attempt<Text> = { change: Change<Text>; key: string; failures: number }

export type TextDraft<Text extends object> = ReturnType<typeof createTextDraft<Text>>

/**
 * Creates a text that saves itself: after a pause, one save at a time, and only the fields that changed. What others saved
 * arrives in fields that are neither changed nor focused.
 */
export function createTextDraft<Text extends object>(read: Stored<Text>, deps: DraftDeps<Text>) {
  const store = createStore<Text>({ state: readState(read), sent: read.text, basedOn: {}, refused: [] })
  const saver = createSaver(store, deps)
  return {
    getState: () => store.get().state,
    subscribe: store.subscribe,
    /** Returns whether everything typed is saved. */
    isSaved: () => saver.isIdle() && unsavedNames(store.get()).length === 0,

    /** Returns whether the screen has all that others saved. In a focused field it waits until the field is left. */
    isShown: () => Object.keys(store.get().basedOn).length === 0,

    /** Takes what was typed, keeps it on the device, and saves it after a pause. */
    type(change: Partial<Text>): void {
      const { state, refused, ...rest } = store.get()
      const text = { ...state.text, ...change }
      store.put({ ...rest, refused: refused.filter((name) => !(name in change)), state: { ...state, text } })
      saver.wait(pauseMs)
    },

    /** Names the field that has the focus. What others saved in it waits until it is left. */
    focus: saver.focus,

    /** Saves now: on leaving, and once the connection is back. */
    flush: saver.flush,
    /** Goes on after the person has signed in again. */
    resume: saver.resume,

    /** Takes a text that was read again. A read during a save waits, because it may be older than the reply. */
    receive(stored: Stored<Text>): void {
      saver.receive(stored)
    },

    /** Begins again with the server's text, such as after a publication. Words that were typed meanwhile are saved. */
    async restart(stored: Stored<Text>): Promise<void> {
      const known = store.get().state.stored
      const { text, resets, ...draft } = restartWith(store.get(), stored)
      store.put({ ...draft, state: { ...readState(stored), text, resets, savedAt: deps.now() } })
      // A text that was read during a publication may be newer.
      saver.receive(known)
      saver.wait(pauseMs)
      await saver.keepOnDevice()
    },

    /** Ends a conflict with the text of this device, or with words that take its place. */
    async keepMine(words: Partial<Text> = {}): Promise<void> {
      store.put(putWords(withoutConflict(store.get()), { fields: words, versions: {} }))
      void saver.keepOnDevice()
      await saver.flush()
    },

    /** Ends a conflict with the text of the other person, once the server has this one among the versions. */
    async takeTheirs(): Promise<void> {
      if (!(await saver.keepRefused())) return
      const fields = store.get().state.conflict?.fields ?? []
      store.put(replaceFields(withoutConflict(store.get()), fields))
      await saver.flush()
      await saver.keepOnDevice()
    },

    /** Puts back words that the device kept. The server decides whether they clash with what it has. */
    async putBack(words: KeptWords<Text>): Promise<void> {
      store.put(putWords(store.get(), words))
      // Both begin at once, so that what isn't saved is never shown as saved.
      await Promise.all([saver.keepOnDevice(), saver.flush()])
    },
  }
}

type Store<Text> = ReturnType<typeof createStore<Text>>

function createStore<Text>(first: Draft<Text>) {
  let draft = first
  const listeners = new Set<() => void>()
  const put = (next: Draft<Text>) => {
    if (next === draft) return
    draft = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => draft,
    put,
    set: (change: Partial<DraftState<Text>>) => put({ ...draft, state: { ...draft.state, ...change } }),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Saves a draft, one change after another. */
function createSaver<Text extends object>(store: Store<Text>, deps: DraftDeps<Text>) {
  let attempt: Attempt<Text> | null = null
  let isInFlight = false
  // After a refusal the fields go one by one, so that one doesn't hold up the others.
  let isSplit = false
  let focused: string | null = null
  let unread: Stored<Text> | null = null
  let cancelTimer = () => {}

  function receive(stored: Stored<Text>): void {
    const draft = store.get()
    if (attempt !== null) unread = newer(stored, unread)
    else if (stored.version > draft.state.stored.version)
      store.put(takeStored(draft, stored, { own: [], focused }))
  }

  function schedule(ms: number): void {
    cancelTimer()
    cancelTimer = deps.after(ms, () => void flush())
  }

  const keepOnDevice = () => keepUnsaved(store, deps, attempt?.change.names ?? [])

  /** Goes on with what is left to save, after a pause for more. */
  function wait(ms: number): void {
    const { phase } = store.get().state
    const isBlocked = phase === 'signed-out' || phase === 'unreachable' || isInFlight
    if (!isBlocked && attempt === null && nextChange(store.get()) === null) rest()
    else if (!isBlocked) {
      store.set({ phase: 'saving' })
      schedule(ms)
    }
    void keepOnDevice()
  }

  function rest(): void {
    cancelTimer()
    isSplit = false
    store.put(takeHeld(store.get(), focused))
    store.set(store.get().refused.length > 0 ? { phase: 'refused' } : { phase: 'saved', message: null })
  }

  async function flush(): Promise<void> {
    if (isInFlight || store.get().state.phase === 'signed-out') return
    cancelTimer()
    attempt ??= nextAttempt(store.get(), { isSplit, key: deps.newId() })
    if (attempt === null) return rest()
    const current = attempt
    isInFlight = true
    if (store.get().state.phase !== 'unreachable') store.set({ phase: 'saving' })
    const { fields, version } = current.change
    const outcome = await deps.save(fields, { version, key: current.key })
    isInFlight = false
    settle(current, outcome)
    await keepOnDevice()
  }

  function settle(current: Attempt<Text>, outcome: SaveOutcome<Text>): void {
    const { change } = current
    if (outcome.kind === 'signed-out') {
      store.set({ phase: 'signed-out' })
      deps.onSessionEnd()
      return
    }
    if (outcome.kind === 'unreachable') {
      store.set({ phase: 'unreachable' })
      schedule(retryMs(current.failures++))
      return
    }
    attempt = null
    isSplit ||= outcome.kind === 'refused'
    store.put(withOutcome(store.get(), change, { outcome, focused, now: deps.now() }))
    if (unread !== null) receive(unread)
    unread = null
    if (nextChange(store.get()) === null) rest()
    else {
      store.set({ phase: 'saving' })
      schedule(0)
    }
  }

  return {
    wait,
    flush,
    receive,
    keepOnDevice,
    keepRefused: () => keepRefused(store, deps),
    isIdle: () => attempt === null,
    focus(name: string | null): void {
      focused = name
      store.put(takeHeld(store.get(), focused))
    },
    async resume(): Promise<void> {
      if (store.get().state.phase !== 'signed-out') return
      store.set({ phase: 'saving' })
      await flush()
    },
  }
}

/** Keeps what the server doesn't have on this device. */
async function keepUnsaved<Text extends object>(
  store: Store<Text>,
  deps: DraftDeps<Text>,
  inFlight: readonly string[],
): Promise<void> {
  const words = wordsToKeep(store.get(), inFlight)
  try {
    await (words === null ? deps.forget() : deps.keep(words))
    store.set({ keptAt: words === null ? null : deps.now() })
  } catch {
    // Some private windows keep nothing. The words still go to the server.
    store.set({ keptAt: null })
  }
}

function retryMs(failures: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** failures)
}

function newer<Text>(one: Stored<Text>, other: Stored<Text> | null): Stored<Text> {
  return other !== null && other.version > one.version ? other : one
}

/** Lets the server keep the last words of a text that it refuses. Returns whether it has them. */
async function keepRefused<Text extends object>(store: Store<Text>, deps: DraftDeps<Text>): Promise<boolean> {
  const words = unknownWords(store.get())
  if (words === null) return true
  const { kind } = await deps.save(words.fields, { version: words.version, key: deps.newId() })
  const isKept = kind === 'conflict' || kind === 'saved'
  store.set({ message: isKept ? null : 'The desk can’t be reached, so both texts stay. Try again.' })
  if (kind === 'signed-out') deps.onSessionEnd()
  if (!isKept) return false
  store.put(markKept(store.get(), words))
  // More may have been typed meanwhile.
  return await keepRefused(store, deps)
}

function nextAttempt<Text extends object>(
  draft: Draft<Text>,
  { isSplit, key }: { isSplit: boolean; key: string },
): Attempt<Text> | null {
  const change = nextChange(draft)
  return change === null ? null : { change: isSplit ? firstOf(change) : change, key, failures: 0 }
}

function firstOf<Text extends object>({ names, fields, version }: Change<Text>): Change<Text> {
  const first = names.slice(0, 1)
  return { names: first, fields: pick(fields, first), version }
}

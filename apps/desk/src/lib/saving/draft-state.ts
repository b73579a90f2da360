import type { Stored } from './text-fields.ts'

/** The server's word on a save. */
export type SaveOutcome<Text> =
  /** `merged` are fields that others saved meanwhile: of a save that is repeated, also its own. */
  | { kind: 'saved'; stored: Stored<Text>; merged: readonly string[] }
  /** Another text of the same fields was saved since. */
  | { kind: 'conflict'; fields: string[]; stored: Stored<Text> }
  | { kind: 'signed-out' }
  | { kind: 'refused'; message: string }
  | { kind: 'unreachable' }

/** Words that this device keeps: fields with the version that each is based on. */
export type KeptWords<Text> = { fields: Partial<Text>; versions: Record<string, number> }

/** The connections of a draft to the server, the device and the clock. */
export type DraftDeps<Text> = {
  save: (change: Partial<Text>, options: { version: number; key: string }) => Promise<SaveOutcome<Text>>
  keep: (words: KeptWords<Text>) => Promise<void>
  forget: () => Promise<void>
  /** Runs it after a time. Returns what cancels it. */
  after: (ms: number, run: () => void) => () => void
  now: () => number
  newId: () => string
  onSessionEnd: () => void
}

export type Phase = 'saved' | 'saving' | 'unreachable' | 'signed-out' | 'refused'

/** Two texts of the same fields. `refused` is what the server has kept of this device’s, based on `version`. */
export type Conflict<Text> = {
  fields: string[]
  stored: Stored<Text>
  refused: Partial<Text>
  version: number
}

/** A text under the hands of a person. */
export type DraftState<Text> = {
  text: Text
  stored: Stored<Text>
  phase: Phase
  /** The reason of the server for refusing it. */
  message: string | null
  savedAt: number
  /** When this device last kept what isn't saved; null if it keeps nothing. */
  keptAt: number | null
  conflict: Conflict<Text> | null
  /** How often each field was replaced from outside, and not by typing. */
  resets: Readonly<Record<string, number>>
}

/** Returns the state of a text that was just read. */
export function readState<Text>(stored: Stored<Text>): DraftState<Text> {
  return {
    text: stored.text,
    stored,
    phase: 'saved',
    message: null,
    savedAt: Date.parse(stored.savedAt),
    keptAt: null,
    conflict: null,
    resets: {},
  }
}

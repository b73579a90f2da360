import type { DraftState, KeptWords, SaveOutcome } from './draft-state.ts'
import { differing, pick, type Stored } from './text-fields.ts'

/** A draft with what the server has of it, in the words of this device. */
export type Draft<Text> = {
  state: DraftState<Text>
  sent: Text
  /** Fields that others changed under a typing hand, with the version that the hand is based on. */
  basedOn: Readonly<Record<string, number>>
  /** Fields that the server refused as they are. */
  refused: readonly string[]
}

/** Fields that are saved together, because they are based on the same version. */
export type Change<Text> = { names: string[]; fields: Partial<Text>; version: number }

/** Returns the names of the fields that the server doesn't have. */
export function unsavedNames<Text extends object>({ state, sent }: Draft<Text>): string[] {
  return differing(state.text, sent)
}

/** Returns the next fields to save, those of the oldest version first; null if nothing can be saved now. */
export function nextChange<Text extends object>(draft: Draft<Text>): Change<Text> | null {
  const { state, basedOn, refused } = draft
  const waiting = [...refused, ...(state.conflict?.fields ?? [])]
  const names = unsavedNames(draft).filter((name) => !waiting.includes(name))
  const versionOf = (name: string) => basedOn[name] ?? state.stored.version
  const version = Math.min(...names.map(versionOf))
  const group = names.filter((name) => versionOf(name) === version)
  return group.length === 0 ? null : { names: group, fields: pick(state.text, group), version }
}

/** Returns what the device keeps: fields that aren't saved, with the version that each is based on. */
export function wordsToKeep<Text extends object>(draft: Draft<Text>, inFlight: readonly string[]) {
  const names = [...new Set([...unsavedNames(draft), ...inFlight])]
  const { text, stored, conflict } = draft.state
  const versionOf = (name: string) =>
    conflict?.fields.includes(name) === true ? conflict.version : (draft.basedOn[name] ?? stored.version)
  const versions = Object.fromEntries(names.map((name) => [name, versionOf(name)]))
  const words: KeptWords<Text> = { fields: pick(text, names), versions }
  return names.length === 0 ? null : words
}

/**
 * Takes a newer text of the server into the fields that are neither changed nor focused. `own` are fields that this device
 * saved itself.
 */
export function takeStored<Text extends object>(
  draft: Draft<Text>,
  stored: Stored<Text>,
  { own, focused }: { own: readonly string[]; focused: string | null },
): Draft<Text> {
  const { state } = draft
  const clashing = state.conflict?.fields ?? []
  const skipped = [...own, ...clashing]
  const news = differing(stored.text, state.stored.text).filter((name) => !skipped.includes(name))
  const open = [...unsavedNames(draft), focused]
  const arrived = pick(
    stored.text,
    news.filter((name) => !open.includes(name)),
  )
  const held = news.filter((name) => open.includes(name))
  return {
    ...draft,
    sent: { ...draft.sent, ...arrived, ...pick(stored.text, clashing) },
    basedOn: { ...Object.fromEntries(held.map((name) => [name, state.stored.version])), ...draft.basedOn },
    state: {
      ...state,
      stored,
      text: { ...state.text, ...arrived },
      conflict: state.conflict === null ? null : { ...state.conflict, stored },
      resets: countResets(state.resets, arrived),
    },
  }
}

/** Takes the reply to a save, which is older than what is known after a publication during the save. */
function takeReply<Text extends object>(
  draft: Draft<Text>,
  stored: Stored<Text>,
  { own, focused }: { own: readonly string[]; focused: string | null },
): Draft<Text> {
  const known = draft.state.stored
  const taken = takeStored(draft, stored, { own, focused })
  return stored.version < known.version ? takeStored(taken, known, { own: [], focused }) : taken
}

/** Begins again with the server's text, such as after a publication. Words that were typed meanwhile stay. */
export function restartWith<Text extends object>(
  draft: Draft<Text>,
  stored: Stored<Text>,
): Omit<Draft<Text>, 'state'> & { text: Text; resets: DraftState<Text>['resets'] } {
  const { state, sent, basedOn } = draft
  const own = unsavedNames(draft)
  const text = { ...stored.text, ...pick(state.text, own) }
  const clashing = [...differing(stored.text, sent), ...(state.conflict?.fields ?? [])]
  const known = state.conflict?.version ?? state.stored.version
  const isOlder = (name: string) => name in basedOn || clashing.includes(name)
  const older = own.filter(isOlder).map((name) => [name, basedOn[name] ?? known])
  return {
    text,
    resets: countResets(state.resets, pick(text, differing(text, state.text))),
    sent: stored.text,
    basedOn: Object.fromEntries(older),
    refused: [],
  }
}

/** Puts the server's text into fields, in place of what is there. */
export function replaceFields<Text extends object>(
  draft: Draft<Text>,
  names: readonly string[],
): Draft<Text> {
  const { state } = draft
  const theirs = pick(state.stored.text, names)
  const text = { ...state.text, ...theirs }
  return {
    ...draft,
    sent: { ...draft.sent, ...theirs },
    basedOn: without(draft.basedOn, names),
    refused: draft.refused.filter((name) => !names.includes(name)),
    state: { ...state, text, resets: countResets(state.resets, theirs) },
  }
}

/** Takes what others saved into fields that it was held back from, and which are neither changed nor focused any more. */
export function takeHeld<Text extends object>(draft: Draft<Text>, focused: string | null): Draft<Text> {
  const open = [...unsavedNames(draft), focused]
  const waiting = Object.keys(draft.basedOn).filter((name) => !open.includes(name))
  return waiting.length === 0 ? draft : replaceFields(draft, waiting)
}

/** Shows two texts of some fields of a change, until the person chooses one. */
function clash<Text extends object>(
  draft: Draft<Text>,
  names: readonly string[],
  { change, stored, focused }: { change: Change<Text>; stored: Stored<Text>; focused: string | null },
): Draft<Text> {
  const { conflict } = draft.state
  const fields = [...new Set([...(conflict?.fields ?? []), ...names])]
  const refused: Partial<Text> = { ...conflict?.refused, ...pick<Partial<Text>>(change.fields, names) }
  const version = Math.min(conflict?.version ?? change.version, change.version)
  const both = { fields, stored: draft.state.stored, refused, version }
  const shown: Draft<Text> = { ...draft, state: { ...draft.state, conflict: both } }
  const taken = takeReply(shown, stored, { own: [], focused })
  return { ...taken, basedOn: without(taken.basedOn, fields) }
}

/** Returns what was typed in clashing fields after the server refused them, which it doesn’t have yet. */
export function unknownWords<Text extends object>({
  state: { conflict, text },
}: Draft<Text>): Change<Text> | null {
  if (conflict === null) return null
  const { fields, refused, stored, version } = conflict
  const mine = { ...pick(text, fields) }
  const lost = differing(mine, { ...stored.text })
  const known = fields.filter(
    (name) => name in refused && differing(pick(mine, [name]), refused).length === 0,
  )
  const names = lost.filter((name) => !known.includes(name))
  return names.length === 0 ? null : { names, fields: pick(text, names), version }
}

/** Records that the server has kept refused words among the versions. */
export function markKept<Text extends object>(draft: Draft<Text>, { fields }: Change<Text>): Draft<Text> {
  const { conflict } = draft.state
  if (conflict === null) return draft
  const refused: Partial<Text> = { ...conflict.refused, ...fields }
  return { ...draft, state: { ...draft.state, conflict: { ...conflict, refused } } }
}

/** Records that the server has the fields of a change, or had them until others changed those that are `overtaken`. */
function markSent<Text extends object>(
  draft: Draft<Text>,
  { names, fields }: Change<Text>,
  overtaken: readonly string[],
): Draft<Text> {
  const { stored } = draft.state
  const text = { ...stored.text, ...pick<Partial<Text>>(fields, overtaken) }
  return {
    ...draft,
    sent: { ...draft.sent, ...fields },
    basedOn: without(draft.basedOn, names),
    state: { ...draft.state, stored: { ...stored, text } },
  }
}

/** Puts words into the text that the device kept from an earlier time. */
export function putWords<Text extends object>(
  draft: Draft<Text>,
  { fields, versions }: KeptWords<Text>,
): Draft<Text> {
  const { state } = draft
  const older = Object.entries(versions).filter(([, version]) => version < state.stored.version)
  return {
    ...draft,
    basedOn: { ...draft.basedOn, ...Object.fromEntries(older) },
    state: { ...state, text: { ...state.text, ...fields }, resets: countResets(state.resets, fields) },
  }
}

/** Returns a draft after the server's word on a change. */
export function withOutcome<Text extends object>(
  draft: Draft<Text>,
  change: Change<Text>,
  { outcome, focused, now }: { outcome: SaveOutcome<Text>; focused: string | null; now: number },
): Draft<Text> {
  if (outcome.kind === 'conflict')
    return clash(draft, outcome.fields, { change, stored: outcome.stored, focused })
  if (outcome.kind === 'saved') {
    const overtaken = change.names.filter((name) => outcome.merged.includes(name))
    const own = change.names.filter((name) => !overtaken.includes(name))
    const taken = takeReply(markSent(draft, change, overtaken), outcome.stored, { own, focused })
    return { ...taken, state: { ...taken.state, savedAt: now } }
  }
  if (outcome.kind !== 'refused') return draft
  // Of several fields it isn't known yet which one is wrong.
  const [name = '', second] = change.names
  const isOld = differing(change.fields, draft.state.text).length > 0
  const refused = second === undefined && !isOld ? [name] : []
  const state = { ...draft.state, message: outcome.message }
  return { ...draft, state, refused: [...draft.refused, ...refused] }
}

/** Ends the choice between two texts. */
export function withoutConflict<Text extends object>(draft: Draft<Text>): Draft<Text> {
  return { ...draft, state: { ...draft.state, conflict: null } }
}

/** Counts the fields that are replaced. */
function countResets(resets: Readonly<Record<string, number>>, fields: object): Record<string, number> {
  const counted = Object.keys(fields).map((name) => [name, (resets[name] ?? 0) + 1])
  return { ...resets, ...Object.fromEntries(counted) }
}

function without(versions: Readonly<Record<string, number>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => !names.includes(name)))
}

import type { SaveOutcome } from '../draft-state.ts'
import { differing, type Stored } from '../text-fields.ts'

/** The fields of the texts in a simulation. */
export type Fields = { title: string; text: string; source: string }

/** A source with this in it is refused. */
export const badSource = '!'

export type FakeServer = ReturnType<typeof createFakeServer>

type Save = { change: Partial<Fields>; version: number; key: string; by: string }

/** Creates a server with one text, which merges by field as the API does. `onReplaced` learns of each accepted save. */
export function createFakeServer(onReplaced: (by: string, before: Fields, after: Fields) => void) {
  let text: Fields = { title: '', text: '', source: '' }
  let [version, savedBy] = [1, '']
  let publicText = text
  const changedAt: Record<string, number> = {}
  const replies = new Map<string, number>()
  const texts: Fields[] = [text]
  const refused: Partial<Fields>[] = []
  const read = (): Stored<Fields> => ({ text, version, savedBy, savedAt: '2041-01-01T00:00:00Z' })
  const changedSince = (base: number) => Object.keys(text).filter((name) => (changedAt[name] ?? 1) > base)

  function replayed(saved: number): SaveOutcome<Fields> {
    return { kind: 'saved', stored: { ...read(), version: saved }, merged: changedSince(saved) }
  }

  return {
    read,
    /** Every text that was ever stored, or refused because of another one. */
    known: (): Partial<Fields>[] => [...texts, ...refused],
    save({ change, version: base, key, by }: Save): SaveOutcome<Fields> {
      const earlier = replies.get(key)
      if (earlier !== undefined) return replayed(earlier)
      if (change.source?.includes(badSource)) return { kind: 'refused', message: 'That is no address.' }
      const next = { ...text, ...change }
      const names = differing(next, text)
      const clashing = names.filter((name) => changedSince(base).includes(name))
      if (clashing.length > 0) {
        refused.push(change)
        return { kind: 'conflict', fields: clashing, stored: read() }
      }
      if (names.length > 0) {
        onReplaced(by, text, next)
        ;[text, version, savedBy] = [next, version + 1, by]
        for (const name of names) changedAt[name] = version
        texts.push(text)
      }
      replies.set(key, version)
      return {
        kind: 'saved',
        stored: read(),
        merged: changedSince(base).filter((name) => !names.includes(name)),
      }
    },
    /** Makes the text public, which is a new version of the same words. Null for another one than was seen. */
    publish(seen: number): Stored<Fields> | null {
      if (seen !== version) return null
      version += 1
      publicText = text
      return read()
    },
    /** Returns the text that readers have. */
    publicText: () => publicText,
    /** Goes back to the public text. Null for another one than was seen. */
    discard(seen: number): Stored<Fields> | null {
      if (seen !== version) return null
      version += 1
      for (const name of differing(text, publicText)) changedAt[name] = version
      text = publicText
      return read()
    },
    /** Forgets to which requests it has replied. */
    forget: () => replies.clear(),
  }
}

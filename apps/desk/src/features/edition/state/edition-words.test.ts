import { describe, expect, it } from 'vitest'
import { savedWords } from '#features/writing/saved-words.ts'
import { type DraftState, readState } from '#lib/saving/draft-state.ts'
import { rightsIn } from './edition-words.ts'

const read = readState({ text: {}, version: 1, savedBy: 'Mara', savedAt: '2041-05-01T10:00:00Z' })
const now = Date.parse('2041-05-01T10:00:03Z')

describe('the saved state of a text', () => {
  it.for<[Partial<DraftState<object>>, string]>([
    [{}, 'Saved 3 s ago'],
    [{ savedAt: now - 120_000 }, 'Saved 2 min ago'],
    [{ savedAt: now + 5_000 }, 'Saved 0 s ago'],
    [{ phase: 'saving' }, 'Saving…'],
    [{ phase: 'unreachable', keptAt: now - 4_000 }, 'Kept on this device 4 s ago, not saved yet'],
    [{ phase: 'signed-out' }, 'Not saved yet'],
    [{ phase: 'refused', message: 'It is too long.' }, 'Not saved: It is too long.'],
    [
      { conflict: { fields: ['title'], stored: read.stored, refused: {}, version: 1 } },
      'Not saved: two texts',
    ],
  ])('%o is said as %s', ([change, words]) => {
    expect(savedWords({ ...read, ...change }, now)).toBe(words)
  })
})

describe('the rights in an edition', () => {
  it.for([
    ['writer', 'draft', true, false],
    ['writer', 'scheduled', false, false],
    ['writer', 'published', true, false],
    ['editor', 'scheduled', true, true],
    ['moderator', 'draft', false, false],
  ] as const)('of a %s in one that is %s', ([role, status, canWrite, canPublish]) => {
    expect(rightsIn(status, [role])).toMatchObject({ canWrite, canPublish })
  })
})

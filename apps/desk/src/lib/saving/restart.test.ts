import { describe, expect, it } from 'vitest'
import { type Draft, restartWith } from './draft-merging.ts'
import { readState } from './draft-state.ts'
import { createDesk, stored as storedMemo } from './simulation/memo-draft.ts'
import type { Stored } from './text-fields.ts'

type Memo = { title: string; text: string }

const stored = (version: number, text: Partial<Memo> = {}): Stored<Memo> => ({
  text: { title: 'Title', text: 'Words', ...text },
  version,
  savedBy: 'Mara Lind',
  savedAt: '2041-01-01T00:00:00Z',
})

/** Returns a draft whose text was typed after version 5 was saved. */
function typed(text: Partial<Memo>): Draft<Memo> {
  const known = stored(5)
  const state = { ...readState(known), text: { ...known.text, ...text } }
  return { state, sent: known.text, basedOn: {}, refused: [] }
}

describe('a draft that begins again', () => {
  it('takes the text of the server', () => {
    expect(restartWith(typed({}), stored(6, { text: 'Public words' }))).toMatchObject({
      text: { title: 'Title', text: 'Public words' },
      resets: { text: 1 },
      basedOn: {},
    })
  })

  it('keeps words that were typed since, which the server doesn’t have', () => {
    const restarted = restartWith(typed({ text: 'Words and more' }), stored(6))

    expect(restarted).toMatchObject({ text: { text: 'Words and more' }, sent: { text: 'Words' }, resets: {} })
    expect(restarted.basedOn).toEqual({})
  })

  it('bases them on what they were typed after, if the server has another text', () => {
    const restarted = restartWith(typed({ text: 'Mine' }), stored(7, { text: 'Theirs' }))

    expect(restarted.text.text).toBe('Mine')
    expect(restarted.basedOn).toEqual({ text: 5 })
  })

  it('bases words that were put back on what they were based on before', () => {
    const draft = { ...typed({ text: 'From before the crash' }), basedOn: { text: 3 } }

    expect(restartWith(draft, stored(6)).basedOn).toEqual({ text: 3 })
  })

  it('bases a text in conflict on the version of its refusal', () => {
    const draft = typed({ text: 'Mine' })
    const conflict = { fields: ['text'], stored: stored(6, { text: 'Theirs' }), refused: {}, version: 4 }

    const restarted = restartWith({ ...draft, state: { ...draft.state, conflict } }, stored(7))

    expect(restarted.text.text).toBe('Mine')
    expect(restarted.basedOn).toEqual({ text: 4 })
  })

  it('shows what others saved after a publication whose reply came later than theirs', async () => {
    const { draft, saves, pass } = createDesk()
    draft.receive(storedMemo(7, { title: 'Theirs', text: 'Theirs' }))
    draft.type({ text: 'Theirs and mine' })

    await draft.restart(storedMemo(6, {}))
    draft.type({ title: 'Theirs and mine' })
    pass()

    expect(draft.getState()).toMatchObject({
      text: { title: 'Theirs and mine', text: 'Theirs and mine' },
      stored: { version: 7 },
    })
    expect(saves).toMatchObject([
      { change: { title: 'Theirs and mine', text: 'Theirs and mine' }, version: 7 },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import type { SaveOutcome } from './draft-state.ts'
import { createDesk, type Memo, stored } from './simulation/memo-draft.ts'

describe('a text that saves itself', () => {
  it('takes what was read during a save once the reply is there, also if that is older', async () => {
    const { draft, pass, reply } = createDesk()
    draft.type({ text: 'Mine' })
    pass()
    await reply({ kind: 'unreachable' })
    draft.receive(stored(7, { text: 'Theirs, over mine' }))
    expect(draft.getState().text.text).toBe('Mine')

    pass()
    await reply({ kind: 'saved', stored: stored(6, { text: 'Mine' }), merged: [] })

    expect(draft.getState()).toMatchObject({ text: { text: 'Theirs, over mine' }, phase: 'saved' })
    expect(draft.isSaved()).toBe(true)
  })

  it('saves the fields that changed, once, after a pause', async () => {
    const { draft, saves, device, pass, reply } = createDesk()
    draft.type({ title: 'N' })
    draft.type({ title: 'New' })
    expect(device.kept).toEqual({ fields: { title: 'New' }, versions: { title: 5 } })

    expect(pass()).toBe(800)
    await reply({ kind: 'saved', stored: stored(6, { title: 'New' }), merged: [] })

    expect(saves).toEqual([{ change: { title: 'New' }, version: 5, key: 'key 1' }])
    expect(draft.getState()).toMatchObject({ phase: 'saved', savedAt: 1_000, keptAt: null })
    expect(device.kept).toBeNull()
    expect(pass()).toBeNull()
  })

  it('sends nothing for a change that was taken back', () => {
    const { draft, saves, pass } = createDesk()
    draft.type({ title: 'New' })
    draft.type({ title: 'Old' })
    expect(pass()).toBeNull()
    expect(saves).toEqual([])
    expect(draft.getState().phase).toBe('saved')
  })

  it('has one save in flight, and keeps what was typed during it', async () => {
    const { draft, saves, device, pass, reply } = createDesk()
    draft.type({ text: 'Words and' })
    pass()
    draft.type({ text: 'Words and more' })
    await draft.flush()
    expect(saves).toHaveLength(1)

    await reply({ kind: 'saved', stored: stored(6, { text: 'Words and' }), merged: [] })

    expect(draft.getState().text.text).toBe('Words and more')
    expect(device.kept?.fields).toEqual({ text: 'Words and more' })
    expect(pass()).toBe(0)
    expect(saves[1]).toMatchObject({ change: { text: 'Words and more' }, version: 6 })
  })

  it('repeats a save without reply as it was, ever more rarely, and keeps the words on the device', async () => {
    const { draft, saves, device, pass, reply } = createDesk()
    draft.type({ text: 'Typed offline' })
    pass()
    const waits: (number | null)[] = []
    for (let tries = 0; tries < 7; tries++) {
      await reply({ kind: 'unreachable' })
      draft.type({ title: `Title ${tries}` })
      waits.push(pass())
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(new Set(saves.map((save) => JSON.stringify(save)))).toHaveProperty('size', 1)
    expect(draft.getState()).toMatchObject({ phase: 'unreachable', keptAt: 1_000 })
    expect(device.kept?.fields).toEqual({ title: 'Title 6', text: 'Typed offline' })
  })

  it('stops when the session has ended, and goes on after signing in', async () => {
    const { draft, saves, events, pass, reply } = createDesk()
    draft.type({ title: 'New' })
    pass()
    await reply({ kind: 'signed-out' })
    draft.type({ title: 'Newer' })
    expect(pass()).toBeNull()
    await draft.flush()
    expect(saves).toHaveLength(1)
    expect(events).toEqual(['session ended'])

    void draft.resume()
    await reply({ kind: 'saved', stored: stored(6, { title: 'New' }), merged: [] })

    expect(saves[1]).toEqual(saves[0])
    expect(pass()).toBe(0)
    expect(saves[2]).toMatchObject({ change: { title: 'Newer' }, version: 6 })
  })

  it('saves the other fields when one is refused', async () => {
    const { draft, saves, pass, reply } = createDesk()
    draft.type({ title: 'New', source: 'no address' })
    pass()
    await reply({ kind: 'refused', message: 'source must be a URL' })
    pass()
    await reply({ kind: 'saved', stored: stored(6, { title: 'New' }), merged: [] })
    pass()
    await reply({ kind: 'refused', message: 'source must be a URL' })
    expect(saves.map(({ change }) => change)).toEqual([
      { title: 'New', source: 'no address' },
      { title: 'New' },
      { source: 'no address' },
    ])
    expect(draft.getState()).toMatchObject({ phase: 'refused', message: 'source must be a URL' })
    expect(draft.isSaved()).toBe(false)

    draft.type({ text: 'Typed after it' })
    pass()
    await reply({ kind: 'saved', stored: stored(7, { title: 'New', text: 'Typed after it' }), merged: [] })

    expect(draft.getState()).toMatchObject({ phase: 'refused', message: 'source must be a URL' })
  })
})

describe('a text that others write too', () => {
  it('takes their other fields, but nothing under the hand', async () => {
    const { draft } = createDesk()
    draft.focus('text')
    draft.receive(stored(6, { title: 'Theirs', text: 'Their words' }))
    expect(draft.getState()).toMatchObject({ text: { title: 'Theirs', text: 'Words' }, resets: { title: 1 } })
    draft.focus(null)
    expect(draft.getState().text.text).toBe('Their words')
  })

  it('says that something of others isn’t shown yet, which nobody may publish', () => {
    const { draft } = createDesk()
    draft.focus('text')
    draft.receive(stored(6, { text: 'Their words' }))
    expect([draft.isSaved(), draft.isShown()]).toEqual([true, false])
    draft.focus(null)
    expect([draft.isSaved(), draft.isShown()]).toEqual([true, true])
  })

  it('bases what is typed in a field on the version that was seen there', async () => {
    const { draft, saves, pass } = createDesk()
    draft.focus('text')
    draft.receive(stored(6, { text: 'Their words' }))
    draft.type({ text: 'My words' })
    pass()
    expect(saves[0]).toMatchObject({ change: { text: 'My words' }, version: 5 })
  })

  it.for([
    ['keepMine', 'My words', [{ text: 'My words' }, { text: 'My words' }]],
    ['takeTheirs', 'Their words', [{ text: 'My words' }]],
  ] as const)('shows both texts of the same field, until %s', async ([choose, text, changes]) => {
    const { draft, saves, device, pass, reply } = createDesk()
    draft.type({ text: 'My words' })
    pass()
    await reply({ kind: 'conflict', fields: ['text'], stored: stored(7, { text: 'Their words' }) })
    expect(draft.getState()).toMatchObject({
      text: { text: 'My words' },
      conflict: { fields: ['text'], stored: { text: { text: 'Their words' } } },
    })
    // After a crash it must clash again.
    expect(device.kept).toEqual({ fields: { text: 'My words' }, versions: { text: 5 } })

    void draft[choose]()
    await Promise.resolve()

    expect(draft.getState()).toMatchObject({ conflict: null, text: { text } })
    expect(saves.map(({ change }) => change)).toEqual(changes)
    expect(saves.at(-1)?.version).toBe(changes.length === 2 ? 7 : 5)
  })

  it('takes their text only once the server has the last words of this one', async () => {
    const { draft, saves, pass, reply } = createDesk()
    draft.type({ text: 'My words' })
    pass()
    const theirs = stored(7, { text: 'Their words' })
    await reply({ kind: 'conflict', fields: ['text'], stored: theirs })
    draft.type({ text: 'My words and more' })

    void draft.takeTheirs()
    await reply({ kind: 'unreachable' })
    expect(draft.getState()).toMatchObject({
      text: { text: 'My words and more' },
      message: expect.stringContaining('can’t be reached'),
    })
    void draft.takeTheirs()
    await reply({ kind: 'conflict', fields: ['text'], stored: theirs })

    expect(draft.getState()).toMatchObject({ conflict: null, message: null, text: { text: 'Their words' } })
    expect(saves.slice(1)).toMatchObject([
      { change: { text: 'My words and more' }, version: 5 },
      { change: { text: 'My words and more' }, version: 5 },
    ])
  })

  it('sends words that the device kept with the version that they were based on', async () => {
    const { draft, saves } = createDesk()
    void draft.putBack({ fields: { text: 'From before the crash' }, versions: { text: 3 } })
    await Promise.resolve().then(() => null)
    expect(draft.getState().text.text).toBe('From before the crash')
    for (let turns = 0; turns < 5; turns++) await Promise.resolve()
    expect(saves).toMatchObject([{ change: { text: 'From before the crash' }, version: 3 }])
  })

  it('shows what others saved after a save whose reply came only when it was repeated', async () => {
    const { draft, pass, reply } = createDesk()
    draft.type({ text: 'My words' })
    pass()
    // Another person took them out again, so the text is what it was before.
    await reply({ kind: 'saved', stored: stored(6, {}), merged: ['text'] })
    expect(draft.getState().text.text).toBe('Words')
  })

  it('takes what was read during a save once the save is done', async () => {
    const { draft, pass, reply } = createDesk()
    draft.type({ text: 'My words' })
    pass()
    draft.receive(stored(7, { text: 'My words', title: 'Theirs' }))
    expect(draft.getState().text.title).toBe('Old')
    await reply({ kind: 'saved', stored: stored(6, { text: 'My words' }), merged: [] })
    expect(draft.getState()).toMatchObject({ text: { title: 'Theirs' }, stored: { version: 7 } })
  })

  it('puts nothing under the hand when another field is refused', async () => {
    const { draft, pass, reply } = createDesk()
    draft.type({ title: 'Mine' })
    draft.focus('text')
    pass()
    const theirs = stored(7, { title: 'Theirs', text: 'Their words' })
    await reply({ kind: 'conflict', fields: ['title'], stored: theirs })
    expect(draft.getState().text).toMatchObject({ title: 'Mine', text: 'Words' })
  })

  it('keeps what is typed while the server gets the last words of a dropped text', async () => {
    const { draft, saves, pass, reply } = createDesk()
    draft.type({ text: 'My words' })
    pass()
    const conflict: SaveOutcome<Memo> = {
      kind: 'conflict',
      fields: ['text'],
      stored: stored(7, { text: 'Theirs' }),
    }
    await reply(conflict)
    draft.type({ text: 'My words and' })
    void draft.takeTheirs()
    draft.type({ text: 'My words and more' })
    await reply(conflict)
    await reply(conflict)
    expect(draft.getState().text.text).toBe('Theirs')
    expect(saves.at(-1)).toMatchObject({ change: { text: 'My words and more' }, version: 5 })
  })
})

describe('a refusal of a field that was mended meanwhile', () => {
  it('doesn’t hold up the mended one', async () => {
    const { draft, saves, pass, reply } = createDesk()
    draft.type({ source: 'no address' })
    pass()
    draft.type({ source: 'https://example.com/' })
    await reply({ kind: 'refused', message: 'source must be a URL' })
    pass()
    expect(saves.at(-1)?.change).toEqual({ source: 'https://example.com/' })
  })
})

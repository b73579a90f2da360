import { describe, expect, test } from 'vitest'
import { createInbox } from './inbox.ts'

const now = () => new Date('2026-11-20T18:00:00Z')

function message(subject: string, to = ['ann@example.com']) {
  const nothing = { text: '', html: '', headers: {}, attachments: [], envelopeFrom: '', source: '' }
  return { kind: 'email' as const, to, from: 'desk@example.com', subject, ...nothing }
}

describe('createInbox', () => {
  test('the newest message comes first', () => {
    const inbox = createInbox({ now })
    inbox.add(message('one'))
    inbox.add(message('two'))
    expect(inbox.list().map(({ subject }) => subject)).toEqual(['two', 'one'])
  })

  test('drops the oldest message beyond the limit', () => {
    const inbox = createInbox({ now, limit: 2 })
    for (const subject of ['one', 'two', 'three']) inbox.add(message(subject))
    expect(inbox.list().map(({ subject }) => subject)).toEqual(['three', 'two'])
  })

  test('drops the oldest messages beyond the size limit, never the newest', () => {
    const inbox = createInbox({ now, maxBytes: 10 })
    inbox.add({ ...message('light'), text: 'x'.repeat(4) })
    inbox.add({ ...message('lighter'), text: 'x'.repeat(4) })
    inbox.add({ ...message('heavy'), text: 'x'.repeat(50) })
    expect(inbox.list().map(({ subject }) => subject)).toEqual(['heavy'])
  })

  test('finds messages by recipient in any case', () => {
    const inbox = createInbox({ now })
    inbox.add(message('for both', ['Ann@Example.com', 'bob@example.com']))
    inbox.add(message('for Bob', ['bob@example.com']))
    expect(inbox.list('ann@example.COM').map(({ subject }) => subject)).toEqual(['for both'])
  })

  test('gives each message an id and a time', () => {
    const inbox = createInbox({ now })
    const { id, receivedAt } = inbox.add(message('one'))
    expect(receivedAt).toBe('2026-11-20T18:00:00.000Z')
    expect(inbox.find(id)?.subject).toBe('one')
    expect(inbox.add(message('two')).id).not.toBe(id)
  })

  test('a cleared inbox is empty and reuses no id', () => {
    const inbox = createInbox({ now })
    const { id } = inbox.add(message('one'))
    inbox.clear()
    expect(inbox.list()).toEqual([])
    expect(inbox.add(message('two')).id).not.toBe(id)
  })
})

import type { AuditEntry } from '@tidings/contracts/desk/audit'
import { describe, expect, it } from 'vitest'
import { memoOf, namesOf, sentenceOf } from './log-sentences.ts'

const today = { year: 2026, month: 11, day: 20 }
const around = { nameOf: namesOf([{ id: 'p1', name: 'Jonas' }]), today }

function entryOf(action: string, subject: string, details: AuditEntry['details'] = {}): AuditEntry {
  return {
    id: 'e1',
    at: '2043-05-20T19:00:00.000Z',
    editor: 'Ines',
    personId: 'p2',
    action,
    subject,
    details,
  }
}

describe('a sentence of the log', () => {
  const key = '11-28-26-10AM'
  it.each<[string, string, AuditEntry['details'], string]>([
    ['edition.publish', key, {}, 'published 10AM of November 28.'],
    ['edition.withdraw', key, { from: 'published' }, 'withdrew 10AM of November 28.'],
    ['edition.withdraw', key, { from: 'scheduled' }, 'took 10AM of November 28 back to draft.'],
    ['edition.deliver', key, { deliver: false }, 'chose to keep 10AM of November 28 from members.'],
    ['memo.add', key, { memo: 'm1', title: 'Bees' }, 'added “Bees” to 10AM of November 28.'],
    ['memo.change', key, { before: { title: 'Bees' } }, 'changed “Bees” in 10AM of November 28.'],
    ['memo.write', key, { title: '' }, 'wrote a memo without a title in 10AM of November 28.'],
    [
      'memo.move',
      key,
      { title: 'Bees', from: key, to: '11-28-26-3PM' },
      'moved “Bees” from 10AM of November 28 to 3PM of November 28.',
    ],
    ['memo.ready', key, { title: 'Bees', ready: true }, 'marked “Bees” in 10AM of November 28 as ready.'],
    ['person.change', 'p1', { to: ['owner', 'editor'] }, 'made Jonas editor and owner.'],
    [
      'person.sign-in',
      'p2',
      { by: 'passkey', device: 'Safari on Mac' },
      'signed in with a passkey (Safari on Mac).',
    ],
    ['person.remove', 'p9', {}, 'removed someone who left.'],
    ['key.make', 'k1', { name: 'Weather bot' }, 'made the key “Weather bot”.'],
    ['comment.hide', 'cmt_1', { content: 'Link in profile' }, 'hid the comment “Link in profile”.'],
    ['tea.make', 'pot', {}, 'did “tea.make” to pot.'],
  ])('for %s of %s with %j', (action, subject, details, did) => {
    expect(sentenceOf(entryOf(action, subject, details), around)).toEqual({ who: 'Ines', did })
  })

  it('names the site where nobody did it', () => {
    expect(sentenceOf({ ...entryOf('edition.hold', key), editor: 'the site itself' }, around).who).toBe(
      'The site',
    )
  })

  it('knows its memo by its id, as it was, or as it was before', () => {
    expect(memoOf(entryOf('memo.add', key, { memo: 'm1' }))).toBe('m1')
    expect(memoOf(entryOf('memo.withdraw', key, { memo: { id: 'm2' } }))).toBe('m2')
    expect(memoOf(entryOf('memo.change', key, { before: { id: 'm3' } }))).toBe('m3')
    expect(memoOf(entryOf('edition.publish', key))).toBeNull()
  })
})

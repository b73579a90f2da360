import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { WorkingCopy } from '@tidings/contracts/desk/memo-text'
import type { DeskMemo } from '@tidings/contracts/desk/memos'
import { describe, expect, it } from 'vitest'
import { orderOf } from './edition-calls.ts'
import { memoRows, moved } from './memo-rows.ts'

const text = {
  title: 'A title',
  memo_content: '<p>Three small words.</p>',
  source: '',
  media: '',
  media_title: '',
  media_alt: null,
  media_focus: { x: 0.5, y: 0.5 },
  media_text: '',
  language: '',
  ready: false,
}
const saved = { version: 2, savedBy: 'Ira', edition: '05-01-41-3PM' }

function memo(id: string, position: number, change: Partial<DeskMemo> = {}): DeskMemo {
  const times = { createdAt: '', updatedAt: '', notedAt: null }
  return { ...text, ...saved, ...times, id, position, note: '', counter: 0, ...change }
}

function copy(id: string, place: number, change: Partial<WorkingCopy> = {}): WorkingCopy {
  return { ...text, ...saved, id, place, isPublic: true, changed: [], savedAt: '', ...change }
}

function edition(change: Partial<DeskEdition>): DeskEdition {
  return {
    key: saved.edition,
    date: '05-01-41',
    slot: '3PM',
    status: 'draft',
    heldReason: null,
    publishAt: '2041-05-01T22:00:00Z',
    publishedAt: null,
    deliver: null,
    subject: '',
    memoCount: 0,
    readyCount: 0,
    version: 1,
    createdAt: '',
    updatedAt: '',
    orderVersion: 1,
    memos: [],
    workingCopies: [],
    ...change,
  }
}

describe('the list of memos', () => {
  it('says what is ready, empty and without alt text in a draft, with the typed words of the open one', () => {
    const memos = [
      memo('a', 1, { ready: true, media: 'a.jpg' }),
      memo('b', 2, { title: '', memo_content: '' }),
      memo('c', 3),
    ]
    const draft = edition({ memos })
    const open = { id: 'c', text: { ...text, title: 'Typed', memo_content: '<p>One</p>' } }
    expect(memoRows(draft, orderOf(draft), open)).toMatchObject([
      { state: 'Ready', words: 3, picture: 'no alt text' },
      { state: 'Empty', words: 0, picture: 'none' },
      { state: 'Writing', words: 1, title: 'Typed' },
    ])
  })

  it('has the private memos of a published edition at their places', () => {
    const memos = [memo('a', 1), memo('b', 2)]
    const workingCopies = [copy('p', 2, { isPublic: false }), copy('b', 3, { changed: ['title'] })]
    const published = edition({ status: 'published', memos, workingCopies })
    expect(memoRows(published, orderOf(published), null)).toMatchObject([
      { id: 'a', state: 'Public' },
      { id: 'p', state: 'Private' },
      { id: 'b', state: 'Changed' },
    ])
  })

  it.for([
    ['a', -1, 'abc'],
    ['a', 1, 'bac'],
    ['c', 1, 'abc'],
    ['gone', 1, 'abc'],
  ] as const)('moves %s by %i to %s', ([id, by, order]) => {
    expect(moved(['a', 'b', 'c'], id, by).join('')).toBe(order)
  })
})

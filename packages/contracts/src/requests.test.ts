import { describe, expect, it } from 'vitest'
import { articleChange, articleDraft } from './desk/articles.ts'
import { memoChange, memoDraft } from './desk/memos.ts'
import { likeMemoRequest } from './editions.ts'
import { listQuery } from './envelope.ts'
import { entryBoxRequest, gateRequest } from './gate.ts'

const memoId = '0199a1f4-1111-7abc-8def-0123456789ab'

describe('gateRequest', () => {
  it.each(['', 'tidings', 'pässwörd', 'x'.repeat(1024)])('takes %j', (password) => {
    expect(gateRequest.parse({ password })).toEqual({ password })
  })

  it.each([
    {},
    { password: null },
    { password: 1 },
    { password: ['a'] },
    { password: 'x'.repeat(1025) },
    [],
    null,
  ])('refuses %j', (body) => {
    expect(gateRequest.safeParse(body).success).toBe(false)
  })
})

describe('entryBoxRequest', () => {
  it.each([{}, { tool: '' }, { tool: 5 }, { tool: { $ne: '' } }, { tool: 'x'.repeat(321) }])(
    'refuses %j',
    (body) => {
      expect(entryBoxRequest.safeParse(body).success).toBe(false)
    },
  )
})

describe('likeMemoRequest', () => {
  it.each([true, false])('takes add: %s', (add) => {
    expect(likeMemoRequest.parse({ id: memoId, add })).toEqual({ id: memoId, add })
  })

  it.each([
    { id: memoId },
    { id: memoId, add: 'true' },
    { id: memoId, add: 1 },
    { id: '1', add: true },
    { id: `${memoId} `, add: true },
    { id: `${memoId}' OR 1=1`, add: true },
    { add: true },
  ])('refuses %j', (body) => {
    expect(likeMemoRequest.safeParse(body).success).toBe(false)
  })
})

describe('memoDraft', () => {
  const draft = { title: 'A title', memo_content: '<p>Text</p>' }

  it.each([draft, { title: '   ' }, { memo_content: '' }, {}])('takes %j and fills in the rest', (given) => {
    expect(memoDraft.parse(given)).toEqual({
      title: '',
      memo_content: '',
      ...('title' in given && { title: given.title.trim() }),
      ...('memo_content' in given && { memo_content: given.memo_content }),
      source: '',
      media: '',
      media_title: '',
      media_alt: null,
      media_focus: { x: 0.5, y: 0.5 },
      language: '',
      media_text: '',
      ready: false,
    })
  })

  it.each([
    { ...draft, title: 'x'.repeat(301) },
    { ...draft, memo_content: 'x'.repeat(1_000_001) },
    { ...draft, source: 'javascript:alert(1)' },
    { ...draft, source: 'ftp://example.com/' },
    { ...draft, source: 'example.com' },
    { ...draft, media: '../../etc/passwd' },
    { ...draft, media: 'picture.jpg' },
    { ...draft, media: `${'a'.repeat(26)}.jpg\n` },
    { ...draft, position: 0 },
    { ...draft, position: 61 },
    { ...draft, position: 1.5 },
    { ...draft, counter: 7 },
  ])('refuses %j', (body) => {
    expect(memoDraft.safeParse(body).success).toBe(false)
  })
})

describe('memoChange and articleChange', () => {
  it.each([memoChange, articleChange])('take a single field, but not none', (schema) => {
    expect(schema.parse({ title: ' New ' })).toEqual({ title: 'New' })
    expect(schema.safeParse({}).success).toBe(false)
  })

  it.each([memoChange, articleChange])('refuse what they do not know', (schema) => {
    expect(schema.safeParse({ title: 'New', likes: 4 }).success).toBe(false)
  })
})

describe('articleDraft', () => {
  it('is a draft unless it says otherwise', () => {
    expect(articleDraft.parse({ title: 'A', memo_content: 'B' }).status).toBe('draft')
  })
})

describe('listQuery', () => {
  it.each([
    [{}, 50],
    [{ limit: '1' }, 1],
    [{ limit: '200' }, 200],
  ])('reads %j', (query, limit) => {
    expect(listQuery.parse(query).limit).toBe(limit)
  })

  it.each([{ limit: '0' }, { limit: '201' }, { limit: 'all' }, { limit: '1.5' }, { page: '2' }])(
    'refuses %j',
    (query) => {
      expect(listQuery.safeParse(query).success).toBe(false)
    },
  )
})

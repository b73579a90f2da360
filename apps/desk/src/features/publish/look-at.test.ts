import { expect, it } from 'vitest'
import { draftEdition, draftMemo } from './draft-edition.fixture.ts'
import { obstaclesOf, type Readiness, recipientsOf, warningsOf } from './look-at.ts'

const { id } = draftMemo
const readiness: Readiness = {
  edition: '11-20-26-3PM',
  status: 'draft',
  version: 3,
  isChecking: false,
  memos: [
    {
      id,
      position: 1,
      title: 'A dam is taken down',
      missing: [],
      titleCharacters: 19,
      isTitleLong: false,
      words: 1,
      picture: null,
      links: [],
      duplicates: [],
    },
  ],
  recipients: [
    { method: 'memo-email', count: 6_420, reason: null },
    { method: 'memo-sms', count: 0, reason: 'No member has chosen it.' },
    { method: 'digest', count: 1_251, reason: null },
  ],
  members: 6_420,
}
const [memo] = readiness.memos
const ready = { ...draftEdition, memos: [{ ...draftMemo, ready: true }] }
const withMemo = (change: Partial<Readiness['memos'][number]>): Readiness => ({
  ...readiness,
  memos: memo === undefined ? [] : [{ ...memo, ...change }],
})

it('a memo without title or text, and an edition without memos, can’t be published', () => {
  expect(obstaclesOf(withMemo({ position: 6, missing: ['memo_content'] }))).toEqual([
    { text: 'Memo 6 has no text. Write it or delete it.', memoId: id },
  ])
  expect(obstaclesOf(withMemo({ missing: ['title', 'memo_content'] }))[0]?.text).toBe(
    'Memo 1 has no title and no text. Write it or delete it.',
  )
  expect(obstaclesOf({ ...readiness, memos: [] })).toHaveLength(1)
  expect(obstaclesOf(readiness)).toEqual([])
})

it('warns of what is not ready, of missing alt text, dead links, long titles and a lack of recipients', () => {
  const url = 'https://ports.example/'
  const links = [{ url, state: 'fails', status: 404, checkedAt: null, text: 'Returns 404' }] as const
  const picture = { media: 'a.jpg', width: 9, height: 9, isSmall: false, hasAlt: false }
  const poor = withMemo({ picture, isTitleLong: true, titleCharacters: 104, links: [...links] })
  const texts = warningsOf({ ...poor, recipients: [] }, draftEdition, true).map(({ text }) => text)
  expect(texts).toEqual([
    '“A dam is taken down”: the picture has no alt text.',
    `“A dam is taken down”: ${url} returns 404.`,
    '“A dam is taken down”: the title has 104 characters; 90 is long.',
    '“A dam is taken down” isn’t marked as ready.',
    'Nobody to send it to. The table says why.',
  ])
  expect(warningsOf(readiness, ready, true)).toEqual([])
})

it('counts those of the digest apart', () => {
  expect(recipientsOf(readiness)).toMatchObject({ total: 6_420, digest: 1_251 })
})

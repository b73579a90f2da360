import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { describe, expect, it } from 'vitest'
import { draftEdition, draftMemo } from '#features/publish/draft-edition.fixture.ts'
import { daySentence, describeSlot } from './slot-column.ts'

const day = { year: 2026, month: 11, day: 20 }
const slot = { label: '3PM', minutes: 900 }
const zones = { site: 'America/Los_Angeles', own: 'America/New_York' }
const due = '2026-11-20T23:00:00.000Z'

const memo = draftMemo
const draft = draftEdition

const report: DeliveryReport = {
  state: 'sending',
  heldReason: null,
  withdrawn: false,
  waiting: [],
  plannedAt: due,
  sendAfter: due,
  startedAt: due,
  finishedAt: null,
  archivedAt: null,
  counts: [
    { method: 'memo-email', state: 'sent', reason: null, count: 6_249 },
    { method: 'memo-sms', state: 'planned', reason: null, count: 3_751 },
  ],
  firstSentAt: due,
  lastSentAt: due,
  slowest: [],
  texts: null,
  refusingDomains: [],
}

const at = (
  edition: Partial<DeskEdition> | null,
  now = '2026-11-20T21:50:00Z',
  delivery: Partial<DeliveryReport> | null = null,
) =>
  describeSlot(edition === null ? null : { ...draft, ...edition }, {
    day,
    slot,
    now: new Date(now),
    zones,
    delivery: delivery === null ? null : { ...report, ...delivery },
  })

describe('a slot', () => {
  it('says when it is due before anyone has started it, and when it was', () => {
    expect(at(null)).toMatchObject({
      headline: 'Nothing yet',
      lines: ['Due at 3:00 PM in Los Angeles, 6:00 PM here.'],
    })
    expect(at(null, '2026-11-21T00:00:00Z').lines).toEqual([
      'It was due at 3:00 PM in Los Angeles, 6:00 PM here.',
    ])
  })

  it('counts the memos of a draft that are ready', () => {
    expect(at({ memos: [memo, { ...memo, ready: true }] }).headline).toBe('1 of 2 memos ready')
    expect(at({ memos: [] }).headline).toBe('No memos yet')
  })

  it('says the time until a scheduled edition, and how late a held one is', () => {
    expect(at({ status: 'scheduled' })).toMatchObject({ headline: 'In 1 h 10 min', statusText: 'Scheduled' })
    expect(at({ status: 'scheduled' }, '2026-11-20T23:00:01Z').headline).toBe('Going out now')
    expect(at({ status: 'held', heldReason: 'It missed its time.' }, '2026-11-20T23:34:00Z')).toMatchObject({
      headline: '34 min late',
      lines: ['It missed its time.'],
    })
  })

  it('says when an edition was published', () => {
    expect(at({ status: 'published', publishedAt: '2026-11-20T21:41:00Z' }).statusText).toBe(
      'Published 1:41 PM',
    )
  })

  it.for<[Partial<DeliveryReport>, string]>([
    [{ state: 'planned' }, 'Sent in 48 s'],
    [{ state: 'planned', sendAfter: '2026-11-20T23:05:00Z' }, 'Sent in 6 min'],
    [{}, 'Being delivered, 62 %'],
    [{ state: 'done' }, 'Delivered'],
    [{ state: 'stopped' }, 'Stopped'],
    [{ state: 'none', counts: [] }, 'On the site'],
  ])('says how far the delivery of a published edition is: $1', ([delivery, headline]) => {
    expect(at({ status: 'published' }, '2026-11-20T22:59:12Z', delivery).headline).toBe(headline)
  })

  it.for([
    [{ ...memo, title: '', memo_content: '' }, 'Empty'],
    [{ ...memo, media: 'a.jpg', ready: true }, 'No alt text'],
    [{ ...memo, media: 'a.jpg', media_alt: '', ready: true }, 'Ready'],
    [memo, ''],
  ] as const)('notes about a memo: %#', ([one, note]) => {
    expect(at({ memos: [one] }).memos[0]?.note).toBe(note)
  })
})

it('says how much of a published edition is delivered, and what isn’t', () => {
  const now = '2026-11-20T23:05:00Z'
  expect(at({ status: 'published' }, now, {})).toMatchObject({
    lines: ['6,249 of 10,000 sent, about 4 min left.'],
    percent: 62,
  })
  const counts: DeliveryReport['counts'] = [
    { method: 'memo-email', state: 'sent', reason: null, count: 1_200 },
    { method: 'memo-email', state: 'bounced', reason: null, count: 31 },
    { method: 'memo-sms', state: 'unconfirmed', reason: null, count: 12 },
  ]
  const done = { state: 'done', finishedAt: '2026-11-20T23:02:00Z', counts } as const
  expect(at({ status: 'published' }, now, done)).toMatchObject({
    lines: ['1,200 of 1,243 sent. 31 could not be delivered.', '12 are unconfirmed.', 'Finished at 3:02 PM.'],
    percent: 100,
  })
  expect(at({ status: 'published', memos: [memo] }, now, { startedAt: null })).toMatchObject({
    lines: ['1 memo.'],
    percent: null,
  })
})

it('the sentence of a day is about what is held, then about what goes out next', () => {
  const now = new Date('2026-11-20T21:50:00Z')
  const [scheduled, none] = [at({ status: 'scheduled' }), at(null)]
  expect(daySentence([none, scheduled], { held: ['Yesterday’s 8PM'], now })).toEqual({
    urgent: 'Yesterday’s 8PM is held.',
    text: '3PM goes out in 1 hour and 10 minutes.',
  })
  expect(daySentence([none], { held: ['3PM'], now })).toEqual({ urgent: '3PM is held.', text: '' })
  expect(daySentence([none], { held: [], now }).text).toBe('Nothing is scheduled.')
})

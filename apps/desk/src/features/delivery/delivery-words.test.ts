import type { DeliveryProgress } from '@tidings/contracts/delivery/deliveries'
import { describe, expect, it } from 'vitest'
import { announcementOf, countdownsOf, countdownText } from './countdown-text.ts'
import { countsByMethod, percentDone, totalsOf } from './delivery-counts.ts'
import { reasonsOf, speedText } from './delivery-words.ts'

const sendAfter = '2026-11-20T23:01:00.000Z'
const now = new Date('2026-11-20T23:00:12Z')
const waiting: DeliveryProgress = {
  edition: '11-20-26-3PM',
  digest: null,
  state: 'planned',
  sendAfter,
  startedAt: null,
  finishedAt: null,
  members: 8_190,
  methods: [{ method: 'memo-email', all: 8_611, sent: 0, waiting: 8_611, unconfirmed: 0, notDelivered: 0 }],
}
const textsAt = (progress: Partial<DeliveryProgress>, at = now) =>
  countdownsOf([{ ...waiting, ...progress }], at).map(countdownText)

describe('the countdown of a delivery', () => {
  it('says until when and to how many members, and that it was stopped', () => {
    expect(textsAt({})).toEqual(['3PM is public. In 48 s it goes to 8,190 members.'])
    expect(textsAt({ members: 1 })).toEqual(['3PM is public. In 48 s it goes to 1 member.'])
    expect(textsAt({ state: 'stopped' })).toEqual(['Stopped. 3PM stays on the site; nothing was sent.'])
  })

  it.for([
    { state: 'sending' as const, startedAt: sendAfter },
    { state: 'stopped' as const, startedAt: sendAfter },
    { state: 'planned' as const, sendAfter: '2026-11-20T23:00:00.000Z' },
    { edition: null, digest: '11-20-26' },
  ])('is over once something may be sent, and is never about a digest: %#', (progress) => {
    expect(textsAt(progress)).toEqual([])
  })

  it('is announced at 60, 30 and 10 seconds', () => {
    const at = (seconds: number) =>
      countdownsOf([waiting], new Date(new Date(sendAfter).getTime() - seconds * 1_000)).map(announcementOf)
    expect(at(61)).toEqual([''])
    expect(at(60)).toEqual(at(31))
    expect(at(30)).toEqual(['3PM is public. In 30 s it goes to 8,190 members.'])
    expect(at(11)).toEqual(at(30))
    expect(at(9)).toEqual(['3PM is public. In 10 s it goes to 8,190 members.'])
  })
})

const counts = [
  { method: 'memo-sms', state: 'planned', reason: null, count: 318 },
  { method: 'memo-email', state: 'sent', reason: null, count: 600 },
  { method: 'memo-email', state: 'delivered', reason: null, count: 20 },
  { method: 'memo-email', state: 'suppressed', reason: 'bounce', count: 19 },
  { method: 'memo-email', state: 'bounced', reason: '552 full', count: 8 },
  { method: 'memo-email', state: 'unconfirmed', reason: 'lost', count: 10 },
] as const

describe('the counts of a delivery', () => {
  it('are by method, in the order of the tables', () => {
    const rows = countsByMethod(counts)
    expect(rows).toEqual([
      { method: 'memo-email', all: 657, sent: 620, waiting: 0, unconfirmed: 10, notDelivered: 27 },
      { method: 'memo-sms', all: 318, sent: 0, waiting: 318, unconfirmed: 0, notDelivered: 0 },
    ])
    expect(totalsOf(rows)).toEqual({ all: 975, sent: 620, waiting: 318, unconfirmed: 10, notDelivered: 27 })
  })

  it('are 100 percent only once nothing waits', () => {
    expect(percentDone({ all: 1_000, waiting: 1 })).toBe(99)
    expect(percentDone({ all: 1_000, waiting: 0 })).toBe(100)
  })

  it('have their reasons as sentences', () => {
    expect(reasonsOf([...counts]).map(({ count, text }) => [count, text])).toEqual([
      [19, 'The mailbox doesn’t exist. These addresses get nothing more.'],
      [8, 'The server said: “552 full”'],
    ])
  })

  it('say how fast it goes', () => {
    const since = new Date('2026-11-20T23:00:00Z')
    const later = new Date('2026-11-20T23:05:00Z')
    expect(speedText({ all: 9_000, waiting: 3_100 }, since, later)).toBe('1,180 a minute · about 3 min left')
    expect(speedText({ all: 9_000, waiting: 9_000 }, since, later)).toBe('')
  })
})

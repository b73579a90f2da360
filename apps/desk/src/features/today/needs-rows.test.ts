import type { DeskNeeds } from '@tidings/contracts/desk/needs/needs'
import { describe, expect, it } from 'vitest'
import { type Known, needsRows, type Reader } from './needs-rows.ts'

const none: DeskNeeds = { failedSends: [], leftOut: [], deadLinks: [], bounces: { emails: 0, suppressed: 0 } }
const nothing: Known = { held: [], unconfirmed: [], needs: none, reported: 0, oldest: null }
const reader: Reader = {
  today: { year: 2026, month: 11, day: 20 },
  now: new Date('2026-11-20T22:00:00Z'),
  siteZone: 'America/Los_Angeles',
  seesMembers: true,
}
const memo = '0193a000-0000-7000-8000-000000000001'
const all: DeskNeeds = {
  failedSends: [
    { edition: '11-20-26-10AM', digest: null, isHeld: false, failed: 31, reason: '554 Too large' },
    { edition: null, digest: '11-19-26', isHeld: true, failed: 0, reason: 'All sending is held.' },
  ],
  leftOut: [
    { edition: '11-19-26-8PM', memo, title: 'Half of it' },
    { edition: '11-19-26-8PM', memo: memo.replace(/1$/, '2'), title: '' },
  ],
  deadLinks: [
    {
      edition: '11-21-26-10AM',
      memo,
      title: 'A night train',
      url: 'https://trains.example/a',
      state: 'fails',
      status: 404,
      checkedAt: '2026-11-20T23:20:00.000Z',
    },
  ],
  bounces: { emails: 27, suppressed: 19 },
}

describe('what needs the person', () => {
  it('is nothing without anything', () => {
    expect(needsRows(nothing, reader)).toEqual([])
  })

  it('is in the order of the decisions, each with the way to it', () => {
    const rows = needsRows({ ...nothing, needs: all, reported: 3 }, reader)

    expect(rows.map(({ title, text, action, to, search }) => [title, text, action, to, search])).toEqual([
      [
        '31 deliveries of 10AM failed.',
        'The server said: “554 Too large”',
        'Look',
        '/editions/11-20-26-10AM/delivery',
        undefined,
      ],
      [
        'The delivery of the digest of November 19 is held.',
        'All sending is held.',
        'Decide',
        '/days/11-19-26',
        undefined,
      ],
      [
        '2 memos were left out of yesterday’s 8PM.',
        '“Half of it”: it was unfinished, and readers don’t have it.',
        'Open',
        `/editions/11-19-26-8PM/memos/${memo}`,
        undefined,
      ],
      ['3 comments were reported.', '', 'Look', '/comments', { show: 'reported' }],
      [
        'A link in tomorrow’s 10AM no longer answers.',
        '“A night train”: trains.example returns 404, asked at 3:20 PM.',
        'Open',
        `/editions/11-21-26-10AM/memos/${memo}`,
        undefined,
      ],
      [
        '27 emails bounced this week.',
        '19 addresses get nothing until their owners confirm them again.',
        'Look',
        '/members',
        { show: 'suppressed' },
      ],
    ])
  })

  it('leads those who don’t see members to the numbers', () => {
    const [bounces] = needsRows(
      { ...nothing, needs: { ...none, bounces: all.bounces } },
      { ...reader, seesMembers: false },
    )
    expect(bounces?.to).toBe('/numbers')
  })
})

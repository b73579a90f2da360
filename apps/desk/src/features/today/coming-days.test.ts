import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import { describe, expect, it } from 'vitest'
import { draftEdition } from '#features/publish/draft-edition.fixture.ts'
import { comingDays } from './coming-days.ts'

const today = { year: 2026, month: 12, day: 30 }
const slots = [
  { label: '10AM', minutes: 600 },
  { label: '3PM', minutes: 900 },
]
const zones = { site: 'America/Los_Angeles', own: 'America/New_York' }

const daysWith = (edition: Partial<DeskEditionSummary> = {}) =>
  comingDays([{ ...draftEdition, key: '12-31-26-3PM', ...edition }], { today, slots, zones })

describe('the coming days', () => {
  it('are the seven after a day, also over the end of a year, each with every slot', () => {
    const days = daysWith()
    expect(days.map(({ name }) => name)).toEqual([
      'Thursday, December 31',
      'Friday, January 1',
      'Saturday, January 2',
      'Sunday, January 3',
      'Monday, January 4',
      'Tuesday, January 5',
      'Wednesday, January 6',
    ])
    expect(days[1]?.slots).toEqual([
      { key: '01-01-27-10AM', label: '10AM', status: 'none', text: 'Nothing yet' },
      { key: '01-01-27-3PM', label: '3PM', status: 'none', text: 'Nothing yet' },
    ])
  })

  it.for<[Partial<DeskEditionSummary>, string, string]>([
    [{ memoCount: 6, readyCount: 2 }, 'draft', 'Draft, 2 of 6 memos ready'],
    [{ memoCount: 1, readyCount: 1 }, 'draft', 'Draft, 1 of 1 memo ready'],
    [{ memoCount: 0 }, 'draft', 'Draft, no memos yet'],
    [{ withdrawn: true, memoCount: 2 }, 'withdrawn', 'Withdrawn, 0 of 2 memos ready'],
    [
      { status: 'scheduled', publishAt: '2026-12-31T23:00:00.000Z' },
      'scheduled',
      'Scheduled, 3:00 PM in Los Angeles, 6:00 PM here',
    ],
    [{ status: 'held' }, 'held', 'Held'],
    [{ status: 'published' }, 'published', 'Published'],
  ])('say the state of an edition: $2', ([edition, status, text]) => {
    expect(daysWith(edition)[0]?.slots).toEqual([
      { key: '12-31-26-10AM', label: '10AM', status: 'none', text: 'Nothing yet' },
      { key: '12-31-26-3PM', label: '3PM', status, text },
    ])
  })
})

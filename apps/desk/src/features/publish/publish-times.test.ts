import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { describe, expect, it } from 'vitest'
import { draftEdition } from './draft-edition.fixture.ts'
import { deedOf, firstChoice, instantOf, isSentByDefault, refusalOf, timesOf } from './publish-times.ts'

const zone = 'America/Los_Angeles'
const slots = [
  { label: '10AM', minutes: 600 },
  { label: '3PM', minutes: 900 },
  { label: '8PM', minutes: 1_200 },
]
const times = timesOf(draftEdition, { slots, zone })
const before = new Date('2026-11-20T21:50:00Z')
const after = new Date('2026-11-21T00:00:00Z')
const edition = (change: Partial<DeskEdition>): DeskEdition => ({ ...draftEdition, ...change })

describe('the time of an edition', () => {
  it('is between its slot and the next one, which may be on the next day', () => {
    expect(times).toMatchObject({
      slot: new Date('2026-11-20T23:00:00Z'),
      next: new Date('2026-11-21T04:00:00Z'),
    })
    expect(timesOf(edition({ key: '11-20-26-8PM' }), { slots, zone }).next).toEqual(
      new Date('2026-11-21T18:00:00Z'),
    )
  })

  it('is the slot’s at first; the chosen one if it was moved; now if it is late or held', () => {
    expect(firstChoice(draftEdition, times, before)).toEqual({ when: 'slot', time: '15:00' })
    expect(
      firstChoice(edition({ status: 'scheduled', publishAt: '2026-11-21T00:30:00Z' }), times, before),
    ).toEqual({ when: 'other', time: '16:30' })
    expect(firstChoice(draftEdition, times, after).when).toBe('now')
    expect(firstChoice(edition({ status: 'held' }), times, after).when).toBe('now')
  })

  it.for([
    [{ when: 'slot', time: '' }, before, null],
    [{ when: 'slot', time: '' }, after, '3:00 PM is past. Choose Now or a later time.'],
    [{ when: 'other', time: '16:30' }, after, null],
    [
      { when: 'other', time: '20:00' },
      before,
      'Choose a time before 8:00 PM, when the next edition appears.',
    ],
    [{ when: 'other', time: '' }, before, 'Choose a time.'],
    [{ when: 'now', time: '' }, after, null],
  ] as const)('is refused if it is past or not before the next slot: %#', ([choice, now, refusal]) => {
    expect(refusalOf(choice, times, now)).toBe(refusal)
  })
})

it('the button names what it does', () => {
  expect(deedOf({ when: 'slot', time: '' }, times)).toBe('Schedule for 3:00 PM')
  expect(deedOf({ when: 'other', time: '16:30' }, times)).toBe('Schedule for 4:30 PM')
  expect(deedOf({ when: 'now', time: '' }, times)).toBe('Publish now')
  expect(instantOf({ when: 'other', time: '16:30' }, times)).toEqual(new Date('2026-11-21T00:30:00Z'))
})

it('an edition is sent unless an editor said otherwise, or it is published for another day than today and tomorrow', () => {
  const now = { when: 'now', time: '' } as const
  const later = new Date('2026-11-25T00:00:00Z')
  expect(isSentByDefault(draftEdition, now, times, before)).toBe(true)
  expect(isSentByDefault(draftEdition, now, times, later)).toBe(false)
  expect(isSentByDefault(edition({ deliver: false }), now, times, before)).toBe(false)
  expect(isSentByDefault(edition({ status: 'scheduled' }), now, times, later)).toBe(true)
})

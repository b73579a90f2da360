import { type CalendarDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { describe, expect, it } from 'vitest'
import {
  dependsOnLaterDays,
  emptySiteSentence,
  endLine,
  isLater,
  missingEditionSentence,
  newerEditionSentence,
} from './sentences.ts'

const slots = [
  { label: '10AM', minutes: 600 },
  { label: '3PM', minutes: 900 },
  { label: '8PM', minutes: 1200 },
]

const zones = {
  'Los Angeles': 'America/Los_Angeles',
  Tijuana: 'America/Tijuana',
  Honolulu: 'Pacific/Honolulu',
  'New York': 'America/New_York',
  London: 'Europe/London',
  Kathmandu: 'Asia/Kathmandu',
  Tokyo: 'Asia/Tokyo',
}

/** Returns a moment of a reader of the site in Los Angeles, or in another zone. */
function momentIn(reader: keyof typeof zones, instant: string, site: keyof typeof zones = 'Los Angeles') {
  return { slots, now: new Date(instant), siteZone: zones[site], readerZone: zones[reader] }
}

function editionOf(key: string): { date: CalendarDate; slot: string } {
  const edition = parseEditionKey(key)
  if (edition === null) throw new Error(`${key} is not an edition key`)
  return edition
}

type State = {
  /** Published slots of the edition's day; null while unknown. */
  published?: readonly string[] | null
  /** The next published edition of a later day; null while unknown. */
  successor?: string | null
  isCurrent?: boolean
}

/** Returns the text of an end line, with its link in brackets. */
function lineOf(key: string, moment: ReturnType<typeof momentIn>, state: State = {}): string {
  const { published, successor, isCurrent = true } = state
  const edition = editionOf(key)
  const line = endLine(
    edition,
    {
      slots: published === undefined ? [edition.slot] : published,
      successor: successor === undefined ? null : successor === null ? undefined : editionOf(successor),
      isCurrent,
    },
    moment,
  )
  return line.next === null ? line.text : `${line.text} [${line.next.text}]`
}

describe('the end line', () => {
  it.each([
    [
      'in the morning',
      '11-20-26-10AM',
      '2026-11-20T12:00-08:00',
      'That is the 10AM edition. The next one arrives at 3PM.',
    ],
    [
      'of the afternoon',
      '11-20-26-3PM',
      '2026-11-20T16:00-08:00',
      'That is the 3PM edition. The next one arrives at 8PM.',
    ],
    ['in the evening', '11-20-26-8PM', '2026-11-20T20:05-08:00', 'That is today. Good night.'],
    ['at 23:30', '11-20-26-8PM', '2026-11-20T23:30-08:00', 'That is today. Good night.'],
    [
      'after midnight',
      '11-20-26-8PM',
      '2026-11-21T00:05-08:00',
      'That was November 20. The next one arrives at 10AM.',
    ],
    [
      'at 8 in the morning',
      '11-20-26-8PM',
      '2026-11-21T08:00-08:00',
      'That was November 20. The next one arrives at 10AM.',
    ],
    [
      'of an evening edition at 8 in the morning',
      '11-20-26-8PM',
      '2026-11-20T08:00-08:00',
      'That is today. The next one arrives tomorrow at 10AM.',
    ],
    [
      'just before the next slot',
      '11-20-26-8PM',
      '2026-11-21T09:59:59-08:00',
      'That was November 20. The next one arrives at 10AM.',
    ],
    [
      'at 10:00:30, with the edition late',
      '11-20-26-8PM',
      '2026-11-21T10:00:30-08:00',
      'That was November 20. The 10AM edition is late.',
    ],
    [
      'at 15:00:30, with the edition late',
      '11-20-26-10AM',
      '2026-11-20T15:00:30-08:00',
      'That is the 10AM edition. The 3PM edition is late.',
    ],
    [
      'at 23:30, with the edition late',
      '11-20-26-3PM',
      '2026-11-20T23:30-08:00',
      'That is the 3PM edition. The 8PM edition is late.',
    ],
    [
      'at 23:30, with two editions missing',
      '11-20-26-10AM',
      '2026-11-20T23:30-08:00',
      'That is the 10AM edition. The 8PM edition is late.',
    ],
    ['on the last day of the year', '12-31-26-8PM', '2026-12-31T23:59-08:00', 'That is today. Good night.'],
    [
      'on the first day of the year',
      '12-31-26-8PM',
      '2027-01-01T00:01-08:00',
      'That was December 31, 2026. The next one arrives at 10AM.',
    ],
    [
      'of an edition published a day early',
      '11-21-26-10AM',
      '2026-11-20T22:00-08:00',
      'That is the 10AM edition. The next one arrives tomorrow at 3PM.',
    ],
    [
      'of a last edition published a day early',
      '11-21-26-8PM',
      '2026-11-20T22:00-08:00',
      'That is November 21. The next one arrives on November 22 at 10AM.',
    ],
    [
      'of an edition published for the next year',
      '01-01-27-8PM',
      '2026-12-30T22:00-08:00',
      'That is January 1, 2027. The next one arrives on January 2, 2027 at 10AM.',
    ],
    [
      'on the day the clocks go forward',
      '03-08-26-10AM',
      '2026-03-08T14:59-07:00',
      'That is the 10AM edition. The next one arrives at 3PM.',
    ],
    [
      'on the day the clocks go back',
      '11-01-26-10AM',
      '2026-11-01T15:00-08:00',
      'That is the 10AM edition. The 3PM edition is late.',
    ],
    [
      'of an edition without a slot',
      '11-20-26-EXTRA',
      '2026-11-20T12:00-08:00',
      'That is the EXTRA edition.',
    ],
  ])('%s is true', (_name, key, instant, sentence) => {
    expect(lineOf(key, momentIn('Los Angeles', instant))).toBe(sentence)
  })

  it.each([
    [
      '11-20-26-10AM',
      '2026-11-20T16:00-08:00',
      { published: ['10AM', '3PM'] },
      'That is the 10AM edition. [The 3PM edition is here.]',
    ],
    [
      '11-20-26-10AM',
      '2026-11-20T21:00-08:00',
      { published: ['10AM', '8PM'] },
      'That is the 10AM edition. [The 8PM edition is here.]',
    ],
    [
      '11-18-26-10AM',
      '2026-11-20T16:00-08:00',
      { published: ['10AM', '3PM'] },
      'That was the 10AM edition. [The 3PM edition comes next.]',
    ],
    [
      '11-19-26-8PM',
      '2026-11-20T10:05-08:00',
      { successor: '11-20-26-10AM' },
      'That was November 19. [The 10AM edition is here.]',
    ],
    [
      '07-12-22-8PM',
      '2026-11-20T16:00-08:00',
      { successor: '07-13-22-10AM' },
      'That was July 12, 2022. [The 10AM edition of July 13, 2022 comes next.]',
    ],
    [
      '07-12-22-3PM',
      '2026-11-20T16:00-08:00',
      { successor: '11-20-26-10AM' },
      'That was July 12, 2022. [The 10AM edition is here.]',
    ],
    ['07-12-22-8PM', '2026-11-20T16:00-08:00', { successor: null }, 'That was July 12, 2022.'],
    [
      '07-12-22-10AM',
      '2026-11-20T16:00-08:00',
      { published: null, successor: null },
      'That was the 10AM edition.',
    ],
    ['11-20-26-10AM', '2026-11-20T15:00-08:00', { isCurrent: false }, 'That is the 10AM edition.'],
    [
      '11-20-26-10AM',
      '2026-11-20T12:00-08:00',
      { published: null, isCurrent: false },
      'That is the 10AM edition. The next one arrives at 3PM.',
    ],
  ])('of %s at %s with %o is true and leads on', (key, instant, state, sentence) => {
    expect(lineOf(key, momentIn('Los Angeles', instant), state)).toBe(sentence)
  })

  it.each([
    [
      'Tijuana',
      '11-20-26-10AM',
      '2026-11-20T12:00-08:00',
      'That is the 10AM edition. The next one arrives at 3PM.',
    ],
    [
      'New York',
      '11-20-26-10AM',
      '2026-11-20T15:00-05:00',
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 18:00 where you are.',
    ],
    ['New York', '11-20-26-8PM', '2026-11-20T23:30-05:00', 'That is today. Good night.'],
    [
      'New York',
      '11-20-26-8PM',
      '2026-11-21T00:30-05:00',
      'That was November 20. The next one arrives at 10AM in Los Angeles, 13:00 where you are.',
    ],
    [
      'New York',
      '11-20-26-8PM',
      '2026-11-21T13:00:30-05:00',
      'That was November 20. The 10AM edition is late.',
    ],
    [
      'London',
      '11-20-26-10AM',
      '2026-11-20T18:30Z',
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 23:00 where you are.',
    ],
    [
      'London',
      '11-20-26-3PM',
      '2026-11-20T23:30Z',
      'That is the 3PM edition. The next one arrives at 8PM in Los Angeles, 4:00 tomorrow where you are.',
    ],
    [
      'London',
      '11-20-26-8PM',
      '2026-11-21T08:00Z',
      'That was November 20. The next one arrives at 10AM in Los Angeles, 18:00 where you are.',
    ],
    // London's clocks go back a week before those of Los Angeles.
    [
      'London',
      '10-26-26-10AM',
      '2026-10-26T17:30Z',
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 22:00 where you are.',
    ],
    [
      'Tokyo',
      '11-19-26-8PM',
      '2026-11-20T20:00+09:00',
      'That was November 19. The next one arrives at 10AM in Los Angeles, 3:00 tomorrow where you are.',
    ],
    [
      'Tokyo',
      '11-20-26-8PM',
      '2026-11-21T14:00+09:00',
      'That was November 20. The next one arrives at 10AM in Los Angeles, 3:00 tomorrow where you are.',
    ],
    [
      'Tokyo',
      '11-20-26-3PM',
      '2026-11-21T09:00+09:00',
      'That is the 3PM edition. The next one arrives at 8PM in Los Angeles, 13:00 where you are.',
    ],
    [
      'Tokyo',
      '11-19-26-8PM',
      '2026-11-21T03:00:30+09:00',
      'That was November 19. The 10AM edition of November 20 is late.',
    ],
    [
      'Tokyo',
      '12-31-26-3PM',
      '2027-01-01T09:00+09:00',
      'That is the 3PM edition. The next one arrives at 8PM in Los Angeles, 13:00 where you are.',
    ],
    [
      'Kathmandu',
      '11-20-26-10AM',
      '2026-11-20T23:50+05:45',
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 4:45 tomorrow where you are.',
    ],
    ['Honolulu', '11-20-26-8PM', '2026-11-20T22:30-10:00', 'That is today. Good night.'],
  ] as const)('is true in %s for %s at %s', (zone, key, instant, sentence) => {
    expect(lineOf(key, momentIn(zone, instant))).toBe(sentence)
  })

  it('leads a reader whose day ends later to the next day’s edition', () => {
    const evening = momentIn('Los Angeles', '2026-11-20T17:30-08:00', 'Tokyo')
    expect(lineOf('11-20-26-8PM', evening, { successor: '11-21-26-10AM' })).toBe(
      'That is today. [The 10AM edition of November 21 is here.]',
    )
  })

  it.each([
    ['11-20-26-10AM', ['10AM'], false],
    ['11-19-26-10AM', ['10AM', '3PM'], false],
    ['11-19-26-8PM', ['3PM', '8PM'], true],
  ])('of %s on a day with %o needs later days: %s', (key, published, expected) => {
    const moment = momentIn('Los Angeles', '2026-11-20T12:00-08:00')
    expect(dependsOnLaterDays(editionOf(key), published, moment)).toBe(expected)
  })
})

describe('the sentence of a site without editions', () => {
  it.each([
    ['Los Angeles', '2026-11-20T07:30-08:00', 'The 10AM edition arrives at ten.'],
    ['Los Angeles', '2026-11-20T10:00:30-08:00', 'The 10AM edition is late.'],
    ['Los Angeles', '2026-11-20T23:30-08:00', 'The 8PM edition is late.'],
    ['London', '2026-11-20T09:00Z', 'The 10AM edition arrives at 10AM in Los Angeles, 18:00 where you are.'],
  ] as const)('in %s at %s is true', (zone, instant, sentence) => {
    expect(emptySiteSentence(momentIn(zone, instant))).toBe(sentence)
  })

  it.each([
    [0, 'midnight'],
    [720, 'noon'],
    [930, '3:30'],
    [45, '12:45'],
  ])('writes minute %i as %s', (minutes, words) => {
    const moment = {
      ...momentIn('Los Angeles', '2026-11-20T12:00-08:00'),
      slots: [{ label: 'EARLY', minutes }],
    }
    const tomorrow = { date: { year: 2026, month: 11, day: 21 }, slot: 'EARLY' }
    expect(missingEditionSentence(tomorrow, moment)).toBe(`The EARLY edition arrives tomorrow at ${words}.`)
  })
})

describe('the sentence of a missing edition', () => {
  it.each([
    ['Los Angeles', '11-20-26-8PM', '2026-11-20T12:00-08:00', 'The 8PM edition arrives at eight.'],
    ['Los Angeles', '11-20-26-10AM', '2026-11-20T10:00:30-08:00', 'The 10AM edition is late.'],
    ['Los Angeles', '11-20-26-10AM', '2026-11-20T16:00-08:00', 'There is no 10AM edition today.'],
    ['Los Angeles', '11-20-26-8PM', '2026-11-20T23:59-08:00', 'The 8PM edition is late.'],
    ['Los Angeles', '11-20-26-8PM', '2026-11-21T00:00-08:00', 'There was no 8PM edition on November 20.'],
    ['Los Angeles', '07-12-22-10AM', '2026-11-20T12:00-08:00', 'There was no 10AM edition on July 12, 2022.'],
    ['Los Angeles', '11-21-26-10AM', '2026-11-20T12:00-08:00', 'The 10AM edition arrives tomorrow at ten.'],
    [
      'Los Angeles',
      '11-25-26-3PM',
      '2026-11-20T12:00-08:00',
      'The 3PM edition arrives on November 25 at three.',
    ],
    ['Los Angeles', '01-01-27-10AM', '2026-12-31T23:30-08:00', 'The 10AM edition arrives tomorrow at ten.'],
    [
      'Los Angeles',
      '03-08-28-10AM',
      '2026-12-31T23:30-08:00',
      'The 10AM edition arrives on March 8, 2028 at ten.',
    ],
    ['Los Angeles', '11-20-26-NEVER', '2026-11-20T12:00-08:00', "This edition doesn't exist."],
    [
      'Tokyo',
      '11-20-26-10AM',
      '2026-11-20T20:00+09:00',
      'The 10AM edition arrives at 10AM in Los Angeles, 3:00 tomorrow where you are.',
    ],
    ['Tokyo', '11-20-26-10AM', '2026-11-21T03:00:30+09:00', 'The 10AM edition of November 20 is late.'],
    [
      'New York',
      '11-22-26-10AM',
      '2026-11-20T20:00-05:00',
      'The 10AM edition arrives at 10AM in Los Angeles, 13:00 on November 22 where you are.',
    ],
    ['New York', '11-20-26-10AM', '2026-11-20T13:00:30-05:00', 'The 10AM edition is late.'],
    // Los Angeles changes its clocks; the arrival is after it.
    [
      'London',
      '03-08-26-10AM',
      '2026-03-07T20:00Z',
      'The 10AM edition arrives at 10AM in Los Angeles, 17:00 tomorrow where you are.',
    ],
  ] as const)('in %s of %s at %s is true', (zone, key, instant, sentence) => {
    expect(missingEditionSentence(editionOf(key), momentIn(zone, instant))).toBe(sentence)
  })
})

describe('the line that offers a newer edition', () => {
  it.each([
    ['11-20-26-3PM', '11-20-26', '11-20-26', 'The 3PM edition is here'],
    ['11-21-26-10AM', '11-20-26', '11-21-26', 'The 10AM edition is here'],
    ['11-20-26-8PM', '11-20-26', '11-21-26', 'The 8PM edition is here'],
    ['11-20-26-8PM', '11-19-26', '11-21-26', 'The 8PM edition of November 20 is here'],
  ])('names %s on a page of %s on %s', (key, shown, today, sentence) => {
    const dateOf = (date: string) => editionOf(`${date}-10AM`).date
    expect(newerEditionSentence(editionOf(key), dateOf(shown), dateOf(today))).toBe(sentence)
  })

  it.each([
    ['11-20-26-3PM', '11-20-26-10AM', true],
    ['11-20-26-10AM', '11-20-26-10AM', false],
    ['01-01-27-10AM', '12-31-26-8PM', true],
    ['11-19-26-8PM', '11-20-26-10AM', false],
  ])('compares %s with %s', (first, second, expected) => {
    expect(isLater(editionOf(first), editionOf(second), slots)).toBe(expected)
  })
})

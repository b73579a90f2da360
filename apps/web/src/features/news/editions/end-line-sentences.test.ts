import { describe, expect, it } from 'vitest'
import { editionOf, momentIn } from '#testing/moments.ts'
import { endLine } from './sentences.ts'

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
  const text = line.sentences.join(' ')
  return line.next === null ? text : `${text} [${line.next.text}]`
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
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 6:00\u00A0PM where you are.',
    ],
    ['New York', '11-20-26-8PM', '2026-11-20T23:30-05:00', 'That is today. Good night.'],
    [
      'New York',
      '11-20-26-8PM',
      '2026-11-21T00:30-05:00',
      'That was November 20. The next one arrives at 10AM in Los Angeles, 1:00\u00A0PM where you are.',
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
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 11:00\u00A0PM where you are.',
    ],
    [
      'London',
      '11-20-26-3PM',
      '2026-11-20T23:30Z',
      'That is the 3PM edition. The next one arrives at 8PM in Los Angeles, 4:00\u00A0AM tomorrow where you are.',
    ],
    [
      'London',
      '11-20-26-8PM',
      '2026-11-21T08:00Z',
      'That was November 20. The next one arrives at 10AM in Los Angeles, 6:00\u00A0PM where you are.',
    ],
    // London's clocks go back a week before those of Los Angeles.
    [
      'London',
      '10-26-26-10AM',
      '2026-10-26T17:30Z',
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 10:00\u00A0PM where you are.',
    ],
    [
      'Tokyo',
      '11-19-26-8PM',
      '2026-11-20T20:00+09:00',
      'That was November 19. The next one arrives at 10AM in Los Angeles, 3:00\u00A0AM tomorrow where you are.',
    ],
    [
      'Tokyo',
      '11-20-26-8PM',
      '2026-11-21T14:00+09:00',
      'That was November 20. The next one arrives at 10AM in Los Angeles, 3:00\u00A0AM tomorrow where you are.',
    ],
    [
      'Tokyo',
      '11-20-26-3PM',
      '2026-11-21T09:00+09:00',
      'That is the 3PM edition. The next one arrives at 8PM in Los Angeles, 1:00\u00A0PM where you are.',
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
      'That is the 3PM edition. The next one arrives at 8PM in Los Angeles, 1:00\u00A0PM where you are.',
    ],
    [
      'Kathmandu',
      '11-20-26-10AM',
      '2026-11-20T23:50+05:45',
      'That is the 10AM edition. The next one arrives at 3PM in Los Angeles, 4:45\u00A0AM tomorrow where you are.',
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
})

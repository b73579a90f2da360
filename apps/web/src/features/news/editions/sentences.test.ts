import { describe, expect, it } from 'vitest'
import { editionOf, momentIn, slots } from '#testing/moments.ts'
import {
  dependsOnLaterDays,
  emptySiteSentence,
  isLater,
  missingEditionSentence,
  newerEditionSentence,
} from './sentences.ts'

describe('the sentence of a site without editions', () => {
  it.each([
    ['Los Angeles', '2026-11-20T07:30-08:00', 'The 10AM edition arrives at ten.'],
    ['Los Angeles', '2026-11-20T10:00:30-08:00', 'The 10AM edition is late.'],
    ['Los Angeles', '2026-11-20T23:30-08:00', 'The 8PM edition is late.'],
    [
      'London',
      '2026-11-20T09:00Z',
      'The 10AM edition arrives at 10AM in Los Angeles, 6:00\u00A0PM where you are.',
    ],
  ] as const)('in %s at %s is true', (zone, instant, sentence) => {
    expect(emptySiteSentence(momentIn(zone, instant))).toBe(sentence)
  })

  it.each([
    [0, 'midnight'],
    [720, 'noon'],
    [930, '3:30\u00A0PM'],
    [45, '12:45\u00A0AM'],
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
    ['Los Angeles', '11-20-26-NEVER', '2026-11-20T12:00-08:00', 'This edition doesn’t exist.'],
    [
      'Tokyo',
      '11-20-26-10AM',
      '2026-11-20T20:00+09:00',
      'The 10AM edition arrives at 10AM in Los Angeles, 3:00\u00A0AM tomorrow where you are.',
    ],
    ['Tokyo', '11-20-26-10AM', '2026-11-21T03:00:30+09:00', 'The 10AM edition of November 20 is late.'],
    [
      'New York',
      '11-22-26-10AM',
      '2026-11-20T20:00-05:00',
      'The 10AM edition arrives at 10AM in Los Angeles, 1:00\u00A0PM on November 22 where you are.',
    ],
    ['New York', '11-20-26-10AM', '2026-11-20T13:00:30-05:00', 'The 10AM edition is late.'],
    // Los Angeles changes its clocks; the arrival is after it.
    [
      'London',
      '03-08-26-10AM',
      '2026-03-07T20:00Z',
      'The 10AM edition arrives at 10AM in Los Angeles, 5:00\u00A0PM tomorrow where you are.',
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

describe('whether an end line depends on later days', () => {
  it.each([
    ['11-20-26-10AM', ['10AM'], false],
    ['11-19-26-10AM', ['10AM', '3PM'], false],
    ['11-19-26-8PM', ['3PM', '8PM'], true],
  ])('of %s on a day with %o: %s', (key, published, expected) => {
    const moment = momentIn('Los Angeles', '2026-11-20T12:00-08:00')
    expect(dependsOnLaterDays(editionOf(key), published, moment)).toBe(expected)
  })
})

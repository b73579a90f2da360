import { describe, expect, it } from 'vitest'
import { emptyDaySentence, endSentence, missingEditionSentence } from './sentences.ts'

const slots = [
  { label: '10AM', minutes: 600 },
  { label: '3PM', minutes: 900 },
  { label: '8PM', minutes: 1200 },
]
const friday = { year: 2026, month: 11, day: 20 }
const saturday = { year: 2026, month: 11, day: 21 }

/** Returns a moment on Friday in Los Angeles. */
function at(time: string) {
  return { slots, now: new Date(`2026-11-20T${time}:00-08:00`), timeZone: 'America/Los_Angeles' }
}

describe('endSentence', () => {
  it.each([
    ['10AM', 'That is the 10AM edition. The next one arrives at 3PM.'],
    ['3PM', 'That is the 3PM edition. The next one arrives at 8PM.'],
    ['8PM', 'That is today. Good night.'],
    ['EXTRA', 'That is the EXTRA edition.'],
  ])('ends the %s edition', (slot, sentence) => {
    expect(endSentence(slot, slots)).toBe(sentence)
  })
})

describe('emptyDaySentence', () => {
  it.each([
    [friday, '07:30', 'The 10AM edition arrives at ten.'],
    [friday, '12:00', 'The 3PM edition arrives at three.'],
    [friday, '15:01', 'The 8PM edition arrives at eight.'],
    [friday, '23:00', 'There is no edition today.'],
    [saturday, '23:00', 'The 10AM edition arrives at ten.'],
    [{ ...friday, day: 19 }, '12:00', 'There was no edition on this day.'],
  ])('describes %o at %s', (date, time, sentence) => {
    expect(emptyDaySentence(date, at(time))).toBe(sentence)
  })

  it.each([
    [0, 'midnight'],
    [720, 'noon'],
    [930, '3:30'],
    [45, '12:45'],
  ])('writes minute %i as %s', (minutes, words) => {
    const moment = { ...at('00:00'), slots: [{ label: 'EARLY', minutes }] }
    expect(emptyDaySentence(saturday, moment)).toBe(`The EARLY edition arrives at ${words}.`)
  })
})

describe('missingEditionSentence', () => {
  it.each([
    [friday, '8PM', 'The 8PM edition arrives at eight.'],
    [saturday, '10AM', 'The 10AM edition arrives at ten.'],
    [friday, '10AM', 'There is no 10AM edition on this day.'],
    [friday, 'NEVER', "This edition doesn't exist."],
  ])('describes the edition %o %s at noon', (date, slot, sentence) => {
    expect(missingEditionSentence({ date, slot }, at('12:00'))).toBe(sentence)
  })
})

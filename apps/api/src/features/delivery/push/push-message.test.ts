import { describe, expect, it } from 'vitest'
import { expiresAt, pushMessageOf, topicOf } from './push-message.ts'

const timeZone = 'America/Los_Angeles'
const slots = [
  { label: '10AM', minutes: 600 },
  { label: '3PM', minutes: 900 },
  { label: '8PM', minutes: 1_200 },
]

const site = { name: 'Tidings', language: 'en' }

function editionOf(slot: string) {
  return { date: new Date('2026-11-20T00:00:00.000Z'), slot }
}

describe('a notification', () => {
  it('has the title of the first memo, on one line and in its language', () => {
    const memos = [
      { title: ' Schiffe\n kehren\u200b zurück ', language: 'de' },
      { title: 'Rain', language: '' },
    ]
    expect(pushMessageOf({ edition: editionOf('10AM'), memos }, site)).toEqual({
      title: 'Schiffe kehren zurück',
      body: 'The 10AM edition',
      path: '/edition/11-20-26-10AM',
      tag: '11-20-26-10AM',
      lang: 'de',
    })
  })

  it('has the name of the site in place of a missing title, in the language of the site', () => {
    const memos = [{ title: ' ', language: 'de' }]
    expect(pushMessageOf({ edition: editionOf('10AM'), memos }, site)).toMatchObject({
      title: 'Tidings',
      lang: 'en',
    })
  })

  it.each(['word '.repeat(100), '👩‍👩‍👧‍👦'.repeat(100), 'x'.repeat(5_000)])(
    'has no longer title than fits',
    (title) => {
      const message = pushMessageOf({ edition: editionOf('10AM'), memos: [{ title, language: '' }] }, site)
      expect(message.title.length).toBeLessThanOrEqual(200)
      expect(message.title).toMatch(/(word|👩‍👩‍👧‍👦|x)…$/)
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(2_000)
    },
  )

  it('has a topic that every push service takes, one for each edition', () => {
    const topics = ['10AM', '3PM', 'Mittag – süß'].map((slot) => topicOf(editionOf(slot)))
    for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/)
    expect(new Set(topics).size).toBe(3)
  })
})

describe('when notifications of an edition expire', () => {
  it.each([
    ['10AM', 'at its slot', '2026-11-20T18:01:00Z', '2026-11-20T23:00:00Z'],
    ['10AM', 'before its slot', '2026-11-20T17:00:00Z', '2026-11-20T23:00:00Z'],
    ['10AM', 'after the next slot', '2026-11-21T01:00:00Z', '2026-11-21T04:00:00Z'],
    ['8PM', 'in the evening', '2026-11-21T04:00:30Z', '2026-11-21T18:00:00Z'],
    ['Noon', 'by a slot that is no longer one', '2026-11-20T20:00:00Z', '2026-11-20T23:00:00Z'],
  ])('those of %s, sent %s, expire at the next slot', (slot, _when, sendAfter, expires) => {
    const options = { sendAfter: new Date(sendAfter), slots, timeZone }
    expect(expiresAt(editionOf(slot), options)).toEqual(new Date(expires))
  })
})

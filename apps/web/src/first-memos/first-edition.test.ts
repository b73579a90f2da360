import { describe, expect, it } from 'vitest'
import { firstEditionKey } from './first-edition.ts'

const noon = new Date(2026, 10, 20, 12, 0)
const editions = {
  timeLists: [
    { date: '11-19-26', timeStamp: ['10AM', '3PM', '8PM'] },
    { date: '11-20-26', timeStamp: ['10AM', '3PM'] },
    { date: '11-21-26', timeStamp: [] },
  ],
  newest: '11-20-26-3PM',
}

describe('the edition that the page shows first', () => {
  it.each([
    ['the newest of the reader’s day', '', noon, '11-20-26-3PM'],
    [
      'the newest of the reader’s day, which is not the site’s',
      '#/home',
      new Date(2026, 10, 19, 23, 0),
      '11-19-26-8PM',
    ],
    ['the newest of all on a day without editions', '#/', new Date(2026, 10, 21, 0, 30), '11-20-26-3PM'],
    ['the one of the address', '#/edition/11-19-26-10AM', noon, '11-19-26-10AM'],
    ['unknown on a day outside of the lists', '#/home', new Date(2026, 10, 25), null],
    ['none on another screen', '#/footer', noon, null],
    ['none for an address that is not a key', '#/edition/..%2F..', noon, null],
  ])('is %s', (_name, hash, now, key) => {
    expect(firstEditionKey({ editions }, hash, now)).toBe(key)
  })

  it('is unknown without the lists, as with a closed gate', () => {
    expect(firstEditionKey({}, '#/edition/11-19-26-10AM', noon)).toBeNull()
  })

  it('is none before the first edition', () => {
    const empty = { timeLists: [{ date: '11-20-26', timeStamp: [] }], newest: null }
    expect(firstEditionKey({ editions: empty }, '', noon)).toBeNull()
  })
})

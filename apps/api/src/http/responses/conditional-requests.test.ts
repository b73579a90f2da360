import { describe, expect, it } from 'vitest'
import { isNotModified, matchesTag, parseHttpDate } from './conditional-requests.ts'

describe('matchesTag', () => {
  it.each([
    '"abc"',
    'W/"abc"',
    '"abc-br"',
    '"abc-gzip"',
    'W/"abc-br"',
    '"x", "abc"',
    '"x","y",W/"abc"',
    '"a,b", "abc"',
    ' "abc" ',
    '*',
    ' * ',
  ])('finds the tag in %s', (header) => {
    expect(matchesTag(header, 'abc')).toBe(true)
  })

  it.each([
    '',
    '""',
    'abc',
    '"abcd"',
    '"ab"',
    '"abc-zstd"',
    '"ABC"',
    '"x", "y"',
    '"x,abc,y"',
    '"*"',
    'W/',
    ',',
  ])('does not find it in %j', (header) => {
    expect(matchesTag(header, 'abc')).toBe(false)
  })
})

describe('parseHttpDate', () => {
  const ms = Date.UTC(1994, 10, 6, 8, 49, 37)

  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads %s',
    (date) => {
      expect(parseHttpDate(date)).toBe(ms)
    },
  )

  it.each([
    undefined,
    '',
    'yesterday',
    '1994',
    '0',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37 +0200',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    'Sun, 06 Xyz 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  ])('ignores %j', (date) => {
    expect(parseHttpDate(date)).toBeNull()
  })
})

describe('isNotModified', () => {
  const version = { tag: 'abc', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' }

  it.each([
    ['the date itself', { 'if-modified-since': version.lastModified }, true],
    ['a second later', { 'if-modified-since': 'Sun, 06 Nov 1994 08:49:38 GMT' }, true],
    ['years later', { 'if-modified-since': 'Fri, 01 Jan 2027 00:00:00 GMT' }, true],
    ['an old form of the date', { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, true],
    ['a second earlier', { 'if-modified-since': 'Sun, 06 Nov 1994 08:49:36 GMT' }, false],
    ['an invalid date', { 'if-modified-since': 'Sunday' }, false],
    [
      'another tag and a later date',
      { 'if-none-match': '"x"', 'if-modified-since': 'Fri, 01 Jan 2027 00:00:00 GMT' },
      false,
    ],
    [
      'the tag and an earlier date',
      { 'if-none-match': 'W/"abc"', 'if-modified-since': 'Sat, 01 Jan 1994 00:00:00 GMT' },
      true,
    ],
    ['neither', {}, false],
  ])('with %s', (_name, headers, expected) => {
    expect(isNotModified({ method: 'GET', headers }, version)).toBe(expected)
    expect(isNotModified({ method: 'HEAD', headers }, version)).toBe(expected)
    expect(isNotModified({ method: 'POST', headers }, version)).toBe(false)
  })

  it('ignores the date of a response without one', () => {
    const headers = { 'if-modified-since': version.lastModified }
    expect(isNotModified({ method: 'GET', headers }, { tag: 'abc' })).toBe(false)
  })
})

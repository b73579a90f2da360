import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { getDate, getEditionId, invalidatedKeysOf, keyOf } from './edition-keys.ts'

/** Returns the error that parsing throws. */
function refusalOf(read: () => unknown): { code: string; status: number; message: string } {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('Nothing was refused')
}

describe('getDate', () => {
  it.each(['02-30-26', '13-01-26', '00-00-00', '2026-11-20', '', 'today'])(
    'rejects %j and explains the format',
    (text) => {
      const refusal = refusalOf(() => getDate(text))
      expect([refusal.code, refusal.status]).toEqual(['invalid-date', 400])
      expect(refusal.message).toContain('MM-DD-YY')
    },
  )
})

describe('getEditionId', () => {
  it('parses the output of keyOf', () => {
    expect(keyOf(getEditionId('02-29-28-10AM'))).toBe('02-29-28-10AM')
  })

  it.each([
    ['02-30-26-10AM', 'invalid-date'],
    ['13-01-26-10AM', 'invalid-date'],
    ['11-20-26', 'invalid-edition-key'],
    ['11-20-26-', 'invalid-edition-key'],
    ['11-20-26-10 AM', 'invalid-edition-key'],
    ['latest', 'invalid-edition-key'],
  ])('rejects %j as %s', (text, code) => {
    const refusal = refusalOf(() => getEditionId(text))
    expect([refusal.code, refusal.status]).toEqual([code, 400])
    expect(refusal.message).toContain('MM-DD-YY')
  })
})

describe('invalidatedKeysOf', () => {
  it('contains the memos, the day, the archive, the lists of the shell and the feeds', () => {
    expect(invalidatedKeysOf(getEditionId('11-20-26-10AM'))).toEqual([
      'edition:11-20-26-10AM',
      'times:11-20-26',
      'archive',
      'start',
      'feeds',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { formatVersion } from '../desk-reply.ts'
import { parseIfMatch, requireVersion } from './register-desk.ts'

describe('parseIfMatch', () => {
  it.each([['"3"'], ['W/"3"'], ['3'], [' "3" ']])('parses %j as version 3', (header) => {
    expect(parseIfMatch(header)).toBe(3)
  })

  it('parses the output of formatVersion', () => {
    expect(parseIfMatch(formatVersion(12_345))).toBe(12_345)
  })

  it.each([[undefined], [''], ['  ']])('requires a version: %j', (header) => {
    expect(() => parseIfMatch(header)).toThrow(
      expect.objectContaining({ code: 'version-required', status: 428 }),
    )
  })

  it.each([['*'], ['"3", "4"'], ['"-1"'], ['three'], ['"9999999999"'], ['"3" OR 1=1']])(
    'rejects %j, which is not a version',
    (header) => {
      expect(() => parseIfMatch(header)).toThrow(
        expect.objectContaining({ code: 'invalid-request', status: 400 }),
      )
    },
  )
})

describe('requireVersion', () => {
  it('accepts the current version', () => {
    expect(() => requireVersion(4, 4)).not.toThrow()
  })

  it.each([[3], [5]])('rejects version %i when the current one is 4', (read) => {
    expect(() => requireVersion(read, 4)).toThrow(
      expect.objectContaining({ code: 'version-conflict', status: 409 }),
    )
  })
})

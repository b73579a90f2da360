import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomIds, sha256, uuidOf } from './ids.ts'

describe('randomIds', () => {
  it('creates unique names of 26 letters and digits', () => {
    const names = Array.from({ length: 500 }, () => randomIds.name())
    for (const name of names) expect(name).toMatch(/^[a-z0-9]{26}$/)
    expect(new Set(names).size).toBe(names.length)
  })

  it('creates unique secrets of letters and digits', () => {
    const secrets = Array.from({ length: 500 }, () => randomIds.alphanumeric(40))
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9]{40}$/)
    expect(new Set(secrets).size).toBe(secrets.length)
  })

  it('uses every letter of its alphabet', () => {
    const letters = new Set(Array.from({ length: 500 }, () => randomIds.alphanumeric(40)).join(''))
    expect(letters.size).toBe(62)
  })
})

describe('sha256', () => {
  it('returns the known digest of text and of bytes', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(sha256('abc')).toBe(digest)
    expect(sha256(Buffer.from('abc'))).toBe(digest)
  })
})

describe('uuidOf', () => {
  it('returns the same id for the same texts', () => {
    expect(uuidOf('subscribed', 'sub_1')).toBe(uuidOf('subscribed', 'sub_1'))
  })

  it('returns another id for other texts or another split', () => {
    const parts: [string, ...string[]][] = [
      ['ab', 'c'],
      ['a', 'bc'],
      ['abc'],
      ['a', 'b', 'c'],
      ['ab,c'],
      ['ab","c'],
    ]
    const numbers = Array.from({ length: 500 }, (_, index) => uuidOf(String(index)))
    const made = new Set([...parts.map((texts) => uuidOf(...texts)), ...numbers])
    expect(made.size).toBe(parts.length + numbers.length)
    for (const uuid of made) expect(z.uuid({ version: 'v8' }).safeParse(uuid).success).toBe(true)
  })
})

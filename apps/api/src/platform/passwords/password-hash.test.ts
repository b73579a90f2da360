import { describe, expect, it, test } from 'vitest'
import { createDummyHash, isBelow } from './password-hash.ts'

const wanted = { memoryKiB: 19_456, passes: 2 }
const tail = 'c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g'

describe('isBelow', () => {
  test.each([
    ['the same costs', '$argon2id$v=19$m=19456,t=2,p=1$', false],
    ['the same costs in another order', '$argon2id$v=19$m=19456,p=1,t=2$', false],
    ['more of both', '$argon2id$v=19$m=65536,t=3,p=4$', false],
    ['less memory', '$argon2id$v=19$m=19455,t=9,p=1$', true],
    ['fewer passes', '$argon2id$v=19$m=99999,t=1,p=1$', true],
    ['an older version', '$argon2id$v=16$m=19456,t=2,p=1$', true],
    ['no version', '$argon2id$m=19456,t=2,p=1$', true],
    ['a missing cost', '$argon2id$v=19$t=2,p=1$', true],
    ['another kind of argon2', '$argon2i$v=19$m=19456,t=2,p=1$', true],
    ['another function', '$2b$10$', true],
  ])('returns for %s: %s', (_name, head, expected) => {
    expect(isBelow(head + tail, wanted)).toBe(expected)
  })
})

describe('createDummyHash', () => {
  it('has the wanted cost', () => {
    expect(isBelow(createDummyHash(wanted), wanted)).toBe(false)
    expect(isBelow(createDummyHash(wanted), { ...wanted, passes: 3 })).toBe(true)
  })

  it('is different each time', () => {
    expect(createDummyHash(wanted)).not.toBe(createDummyHash(wanted))
  })
})

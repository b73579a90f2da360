import { describe, expect, it } from 'vitest'
import { createSigner, equalInConstantTime } from './signing.ts'

const signer = createSigner('a secret', 'a purpose')

describe('createSigner', () => {
  it.each(['a', 'a.b', '1760000000000_0199a1f4', 'ünïcödé', '.', '{"a":1}'])(
    'verifies its own signature: %j',
    (value) => {
      expect(signer.verify(signer.sign(value))).toBe(value)
    },
  )

  it.each([
    '',
    '.',
    'a',
    'a.',
    '.a',
    'value.signature',
    `${signer.sign('a')}x`,
    signer.sign('a').slice(0, -2),
    signer.sign('a').replace('a.', 'b.'),
    `${signer.sign('a')}.`,
    `${signer.sign('a')}.${signer.sign('a')}`,
    'a.'.repeat(10_000),
  ])('rejects %j', (signed) => {
    expect(signer.verify(signed)).toBeNull()
  })

  it('rejects a signature of another secret', () => {
    expect(signer.verify(createSigner('another secret', 'a purpose').sign('a'))).toBeNull()
  })

  it('rejects a signature for another purpose', () => {
    expect(signer.verify(createSigner('a secret', 'another purpose').sign('a'))).toBeNull()
  })

  it('writes only characters that are valid in a cookie', () => {
    for (let value = 0; value < 100; value += 1) {
      expect(signer.sign(String(value))).toMatch(/^\d+\.[A-Za-z0-9_-]{43}$/)
    }
  })
})

describe('equalInConstantTime', () => {
  it.each([
    ['', '', true],
    ['a', 'a', true],
    ['pässwörd', 'pässwörd', true],
    ['a', '', false],
    ['a', 'A', false],
    ['a', 'a ', false],
    ['a', 'aa', false],
    ['é', 'e\u0301', false],
  ])('compares %j and %j: %s', (left, right, equal) => {
    expect(equalInConstantTime(left, right)).toBe(equal)
  })
})

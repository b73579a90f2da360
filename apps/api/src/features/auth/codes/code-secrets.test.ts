import { describe, expect, it, test } from 'vitest'
import { type CodeBinding, createCodeSecrets } from './code-secrets.ts'

const secrets = createCodeSecrets('a-secret-of-at-least-32-characters!')
const binding: CodeBinding = { appId: 'app_a', purpose: 'reset', email: 'ann@example.com' }
const id = '5b1f4c3e-0000-4000-8000-000000000001'

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

describe('digitsOf', () => {
  it('returns the same six digits for an id and an attempt in every process', () => {
    const digits = secrets.digitsOf(id, 0)
    expect(digits).toMatch(/^\d{6}$/)
    expect(createCodeSecrets('a-secret-of-at-least-32-characters!').digitsOf(id, 0)).toBe(digits)
  })

  it('returns other digits for another attempt, id or secret', () => {
    const other = createCodeSecrets('another-secret-of-32-characters!!')
    const all = [
      secrets.digitsOf(id, 0),
      secrets.digitsOf(id, 1),
      secrets.digitsOf(idOf(2), 0),
      other.digitsOf(id, 0),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it('keeps leading zeros and distributes the digits evenly', () => {
    const codes = Array.from({ length: 20_000 }, (_, number) => secrets.digitsOf(idOf(number), 0))
    expect(codes.every((code) => code.length === 6)).toBe(true)
    for (let place = 0; place < 6; place += 1) {
      for (const digit of '0123456789') {
        const share = codes.filter((code) => code[place] === digit).length / codes.length
        expect(share).toBeGreaterThan(0.09)
        expect(share).toBeLessThan(0.11)
      }
    }
  })
})

describe('hash', () => {
  const hash = secrets.hash(binding, '123456')

  it('returns 64 hexadecimal digits', () => {
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each<[string, CodeBinding, string]>([
    ['other digits', binding, '123457'],
    ['another app', { ...binding, appId: 'app_b' }, '123456'],
    ['another purpose', { ...binding, purpose: 'login' }, '123456'],
    ['another address', { ...binding, email: 'bea@example.com' }, '123456'],
    ['the same text split differently', { ...binding, appId: 'app_a","reset' }, '123456'],
  ])('differs for %s', (_name, otherBinding, digits) => {
    expect(secrets.hash(otherBinding, digits)).not.toBe(hash)
  })

  it('differs with another secret, and from the lookup hash', () => {
    expect(createCodeSecrets('another-secret-of-32-characters!!').hash(binding, '123456')).not.toBe(hash)
    expect(secrets.lookupHash(binding.appId, '123456')).not.toBe(hash)
  })
})

describe('the signature of a link', () => {
  const signature = secrets.signatureOf(binding, '123456')

  it('has 128 bits and belongs to its code', () => {
    expect(Buffer.from(signature, 'base64url')).toHaveLength(16)
    expect(secrets.isSignatureOf(binding, '123456', signature)).toBe(true)
  })

  test.each<[string, CodeBinding, string, string]>([
    ['other digits', binding, '123457', signature],
    ['another app', { ...binding, appId: 'app_b' }, '123456', signature],
    ['another purpose', { ...binding, purpose: 'login' }, '123456', signature],
    ['another address', { ...binding, email: 'bea@example.com' }, '123456', signature],
    ['no signature', binding, '123456', ''],
    ['half a signature', binding, '123456', signature.slice(0, 11)],
    ['the hash of the code', binding, '123456', secrets.hash(binding, '123456')],
  ])('is refused with %s', (_name, otherBinding, digits, given) => {
    expect(secrets.isSignatureOf(otherBinding, digits, given)).toBe(false)
  })

  it('is refused with another secret', () => {
    const other = createCodeSecrets('another-secret-of-32-characters!!')
    expect(other.isSignatureOf(binding, '123456', signature)).toBe(false)
  })
})

describe('lookupHash', () => {
  it('depends on app and digits', () => {
    const hashes = [
      secrets.lookupHash('app_a', '123456'),
      secrets.lookupHash('app_b', '123456'),
      secrets.lookupHash('app_a', '123457'),
    ]
    expect(new Set(hashes).size).toBe(3)
    expect(secrets.lookupHash('app_a', '123456')).toBe(hashes[0])
  })
})

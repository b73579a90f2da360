import { describe, expect, it } from 'vitest'
import { createSealing } from './sealing.ts'

const secret = 'a-secret-of-more-than-32-characters-0000'
const sealing = createSealing(secret, 'signing keys')

describe('createSealing', () => {
  it.each(['', 'x', '{"d":"private"}', 'Ünïcödé 🗝', 'x'.repeat(10_000)])('opens its own seals', (text) => {
    expect(sealing.open(sealing.seal(text))).toBe(text)
  })

  it('seals the same text differently each time', () => {
    expect(sealing.seal('text')).not.toBe(sealing.seal('text'))
  })

  it('rejects seals of another secret or purpose', () => {
    const sealed = sealing.seal('text')
    expect(createSealing(`${secret}1`, 'signing keys').open(sealed)).toBeNull()
    expect(createSealing(secret, 'something else').open(sealed)).toBeNull()
  })

  it('rejects seals altered in any byte', () => {
    const bytes = Buffer.from(sealing.seal('text'), 'base64url')
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes)
      altered[index] = (altered[index] ?? 0) ^ 1
      expect(sealing.open(altered.toString('base64url'))).toBeNull()
    }
  })

  it.each(['', 'short', 'A'.repeat(38), 'not base64!'])('rejects invalid seals: %j', (text) => {
    expect(sealing.open(text)).toBeNull()
  })
})

import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Signs short texts for one purpose: `value.signature`, HMAC-SHA-256 in base64url. */
export function createSigner(secret: string, purpose: string) {
  // As a key object: converting bytes takes longer than a signature.
  const key = createSecretKey(createHmac('sha256', secret).update(purpose).digest())
  const signatureOf = (value: string) => createHmac('sha256', key).update(value).digest()
  return {
    sign: (value: string) => `${value}.${signatureOf(value).toString('base64url')}`,
    /** Returns the signed value, or null when the signature is not valid. Compares in constant time. */
    verify(signed: string): string | null {
      const dot = signed.lastIndexOf('.')
      if (dot < 1) return null
      const value = signed.slice(0, dot)
      const given = Buffer.from(signed.slice(dot + 1), 'base64url')
      const expected = signatureOf(value)
      return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
    },
  }
}

/** Signs short texts for one purpose with the first bytes of an HMAC-SHA-256, where a whole one is too long. */
export function createShortSigner(secret: string, purpose: string, bytes: number) {
  const key = createSecretKey(createHmac('sha256', secret).update(purpose).digest())
  const signatureOf = (value: string) => createHmac('sha256', key).update(value).digest().subarray(0, bytes)
  return {
    signatureOf,
    /** Returns whether this is the signature of the value. Compares in constant time. */
    isSignatureOf(value: string, given: Buffer): boolean {
      return given.length === bytes && timingSafeEqual(given, signatureOf(value))
    },
  }
}

/** Returns whether two texts are equal, compared in constant time. */
export function equalInConstantTime(left: string, right: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

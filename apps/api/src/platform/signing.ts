import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs short texts and checks them: `value.signature`, HMAC-SHA-256 in base64url. */
export type Signer = {
  sign(value: string): string
  /** The value inside, or null when the signature is not ours. Takes the same time for any wrong one. */
  verify(signed: string): string | null
}

/** A signer of one purpose: signatures made for another purpose or with another secret do not verify. */
export function createSigner(secret: string, purpose: string): Signer {
  const key = createHmac('sha256', secret).update(purpose).digest()
  const signatureOf = (value: string) => createHmac('sha256', key).update(value).digest()
  return {
    sign: (value) => `${value}.${signatureOf(value).toString('base64url')}`,
    verify(signed) {
      const dot = signed.lastIndexOf('.')
      if (dot < 1) return null
      const value = signed.slice(0, dot)
      const given = Buffer.from(signed.slice(dot + 1), 'base64url')
      const expected = signatureOf(value)
      return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
    },
  }
}

/** Whether two texts are equal, in a time that tells nothing about where or how long they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

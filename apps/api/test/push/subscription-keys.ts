import { createECDH, randomBytes } from 'node:crypto'

/** Returns the keys of a browser's new subscription. */
export function newSubscriptionKeys(): { p256dh: string; auth: string } {
  const keyPair = createECDH('prime256v1')
  return { p256dh: keyPair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
}

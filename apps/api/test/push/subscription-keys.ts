import { createECDH, createHash } from 'node:crypto'

/** Returns the keys of a browser's new subscription. */
export function newSubscriptionKeys(): { p256dh: string; auth: string } {
  const keyPair = createECDH('prime256v1')
  const p256dh = keyPair.generateKeys('base64url')
  const secret = createHash('sha256').update(keyPair.getPrivateKey()).digest()
  return { p256dh, auth: secret.subarray(0, 16).toString('base64url') }
}

import { createECDH } from 'node:crypto'
import { ConfigurationError } from './env.ts'
import type { Settings } from './settings.ts'

/** How notifications are signed. */
export type VapidKeys = { publicKey: string; privateKey: string; subject: string }

const keyBytes = 32

/** Returns the keys of notifications, null for none, and how push services are called. */
export function readPush(
  { publicKey, privateKey, subject, serviceUrl, timeoutSeconds }: Settings['push'],
  site: { siteUrl: URL; contactEmail: string },
): { vapid: VapidKeys | null; serviceUrl: URL | null; timeoutMs: number } {
  const calls = {
    serviceUrl: serviceUrl === null ? null : new URL(serviceUrl),
    timeoutMs: timeoutSeconds * 1000,
  }
  if (publicKey === '' && privateKey === '') return { vapid: null, ...calls }
  if (publicKeyOf(privateKey) !== publicKey) {
    throw new ConfigurationError(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be one pair of keys: a point and a number of P-256, in base64url',
    )
  }
  const usual = site.siteUrl.protocol === 'https:' ? site.siteUrl.origin : `mailto:${site.contactEmail}`
  return {
    vapid: { publicKey, privateKey: paddedKey(privateKey), subject: subject || usual },
    ...calls,
  }
}

/** Returns a private key with the leading zeros that Node leaves out and `web-push` requires. */
function paddedKey(privateKey: string): string {
  const bytes = Buffer.from(privateKey, 'base64url')
  return Buffer.concat([Buffer.alloc(Math.max(0, keyBytes - bytes.length)), bytes]).toString('base64url')
}

function publicKeyOf(privateKey: string): string | null {
  const keyPair = createECDH('prime256v1')
  try {
    keyPair.setPrivateKey(privateKey, 'base64url')
    return keyPair.getPublicKey('base64url')
  } catch {
    return null
  }
}

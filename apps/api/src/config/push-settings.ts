import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { ConfigurationError } from './env.ts'
import { optionalUrl, setting, text } from './setting.ts'

/** The settings of notifications in the browser. */
export const pushSettings = z.object({
  publicKey: text('VAPID_PUBLIC_KEY', '').describe(
    'The keys that sign notifications in the browser (RFC 8292), made with `npx --yes pnpm@12 dlx web-push generate-vapid-keys`. Keep them: browsers subscribe with the public key, and get nothing from another one. Without them there are no notifications. `start` makes its own in DATA_DIR, except in production.',
  ),
  privateKey: text('VAPID_PRIVATE_KEY', ''),
  subject: setting(
    'VAPID_SUBJECT',
    '',
    z.string().regex(/^(|mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address'),
  ).describe(
    'Whom push services contact about our messages: a mailto: or https: address. Default: SITE_URL if that is https, else CONTACT_EMAIL.',
  ),
  serviceUrl: optionalUrl('PUSH_SERVICE_URL').describe(
    'The address of an emulator of a push service, to which notifications may also be sent. Leave it empty for real ones, which have public https addresses.',
  ),
})

type Settings = z.infer<typeof pushSettings>

/** How notifications are signed. */
export type VapidKeys = { publicKey: string; privateKey: string; subject: string }

/** Returns the keys of notifications, null for none, and the emulator of a push service. */
export function readPush(
  { publicKey, privateKey, subject, serviceUrl }: Settings,
  site: { siteUrl: URL; contactEmail: string },
): { vapid: VapidKeys | null; serviceUrl: URL | null } {
  const service = serviceUrl === null ? null : new URL(serviceUrl)
  if (publicKey === '' && privateKey === '') return { vapid: null, serviceUrl: service }
  if (publicKeyOf(privateKey) !== publicKey) {
    throw new ConfigurationError(
      'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be one pair of keys: a point and a number of P-256, in base64url',
    )
  }
  const usual = site.siteUrl.protocol === 'https:' ? site.siteUrl.origin : `mailto:${site.contactEmail}`
  return { vapid: { publicKey, privateKey, subject: subject || usual }, serviceUrl: service }
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

import { z } from 'zod'
import { count, optionalUrl, setting, text } from './setting.ts'

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
  timeoutSeconds: count('PUSH_TIMEOUT_SECONDS', 20, [1, 300]).describe(
    'For how many seconds a worker waits for the reply to a notification before it tries again later.',
  ),
  serviceUrl: optionalUrl('PUSH_SERVICE_URL').describe(
    'The address of an emulator of a push service, to which notifications may also be sent. Leave it empty for real ones, which have public https addresses.',
  ),
})

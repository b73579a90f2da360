import path from 'node:path'
import manifest from '#package.json' with { type: 'json' }
import { readDkim } from './dkim.ts'
import { refuseEmulatorSecrets } from './emulator-secrets.ts'
import { ConfigurationError } from './env.ts'
import { readIdentityProviders } from './identity-providers.ts'
import type { BucketLocation } from './media-settings.ts'
import { readSecrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import { readPush } from './vapid.ts'
import { maxWebhookSecrets, webhookSecretsOf } from './webhook-secrets.ts'

/** Everything that the processes need to know, checked once at boot. */
export type Config = ReturnType<typeof readConfig>

/** The captcha of the sign-up; each app's configuration says whether it is used. */
export type CaptchaConfig = ReturnType<typeof readCaptcha>

/** Folders and programs beside the code that a process needs. */
export type Locations = {
  webApp: string
  /** The built web application of the desk. */
  deskApp: string
  /** The built browser client of the membership protocol. */
  client: string
  /** The built dialogs of the membership widget. */
  widget: string
  /** The migrations, to check that the database has them all. */
  migrations: string
  /** The program that hashes passwords. */
  hasher: string
  pdfCompiler: string
  heicDecoder: string
  /** The thread that reads reports of bounces. */
  reportReader: string
}

/** Derives the configuration from the settings; throws {@link ConfigurationError} naming what is wrong. */
export function readConfig(settings: Settings, locations: Locations) {
  const { environment, http, site, legal, database, mail } = settings
  const isProduction = environment === 'production'
  if (isProduction && site.url === null) {
    throw new ConfigurationError('In production SITE_URL must be set, such as https://news.example.com')
  }
  if (database.url === undefined) {
    throw new ConfigurationError(
      'DATABASE_URL is not set. Set it to a PostgreSQL database, or use `npx --yes pnpm@12 start`, which runs its own.',
    )
  }
  const identityProviders = readIdentityProviders(settings.identity)
  refuseEmulatorSecrets(settings, identityProviders)
  const url = new URL(site.url ?? `http://localhost:${http.port}`)
  const from = mail.from ?? `${site.name} <${legal.contactEmail}>`
  return {
    ...settings,
    http: {
      ...http,
      host: http.host ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
      requestTimeoutMs: http.requestTimeoutSeconds * 1000,
      drainMs: (http.drainSeconds ?? (isProduction ? 5 : 0)) * 1000,
    },
    site: {
      ...site,
      url,
      /** The site's identity. Development without SITE_URL has a port of its own at each start. */
      identity: site.url === null ? 'http://localhost' : url.href.replace(/\/$/, ''),
      legal,
      /** Origins whose pages may open the live feed. */
      origins: isProduction ? new Set([url.origin]) : developmentOrigins(url, http.port),
      allowedOrigins: new Set([
        ...site.allowedOrigins,
        ...(isProduction ? [] : [3000, 5173, 5174].map((port) => `http://localhost:${port}`)),
      ]),
    },
    secrets: readSecrets(settings),
    passwords: readPasswords(settings),
    mail: { ...mail, from, bulkSmtpUrl: mail.bulkSmtpUrl ?? mail.smtpUrl, dkim: readDkim(mail, from) },
    sms: {
      ...settings.sms,
      account: readTwilioAccount(settings),
      countries: settings.sms.countries.length > 0 ? settings.sms.countries : [settings.phoneRegion],
    },
    push: readPush(settings.push, { siteUrl: url, contactEmail: legal.contactEmail }),
    media: readMedia(settings),
    payments: { ...settings.payments, stripe: readStripe(settings) },
    captcha: readCaptcha(settings),
    identityProviders,
    database: { ...database, url: database.url, listenUrl: database.listenUrl ?? database.url },
    build: { version: manifest.version, revision: settings.revision },
    dataDir: path.resolve(settings.dataDir),
    locations,
  }
}

// OWASP's Password Storage Cheat Sheet: these memories, in KiB, with these passes are equally strong.
const owaspParameters: readonly (readonly [memoryKiB: number, passes: number])[] = [
  [47_104, 1],
  [19_456, 2],
  [12_288, 3],
  [9_216, 4],
  [7_168, 5],
]

function readPasswords({ environment, passwords }: Settings) {
  const { memoryKiB, passes, concurrency, queueSeconds } = passwords
  const strong = owaspParameters.some(([memory, min]) => memoryKiB >= memory && passes >= min)
  if (environment !== 'test' && !strong) {
    throw new ConfigurationError(
      'PASSWORD_MEMORY_KIB and PASSWORD_PASSES are weaker than OWASP recommends: at least 19456 with 2, or 47104 with 1',
    )
  }
  return { memoryKiB, passes, concurrency, queueMs: queueSeconds * 1000 }
}

/** Returns the Stripe account that members pay through; null for none. */
function readStripe({ stripe }: Settings) {
  const { secretKey, webhookSecret, apiUrl, collectsTax, taxBehavior } = stripe
  if (secretKey === '') return null
  const webhookSecrets = webhookSecretsOf(webhookSecret)
  if (webhookSecrets.length === 0) {
    throw new ConfigurationError(
      'STRIPE_SECRET_KEY is set, so STRIPE_WEBHOOK_SECRET must be set too: it proves that webhooks come from Stripe',
    )
  }
  if (webhookSecrets.length > maxWebhookSecrets) {
    throw new ConfigurationError(
      'STRIPE_WEBHOOK_SECRET has more than two secrets: it takes that of the endpoint, and of the one that replaces it',
    )
  }
  if (apiUrl !== null && /^[sr]k_live_/.test(secretKey)) {
    throw new ConfigurationError(
      'STRIPE_API_URL sends calls to an emulator, but STRIPE_SECRET_KEY is a live key: remove one of them',
    )
  }
  const tax = collectsTax ? taxBehavior : null
  return { secretKey, webhookSecrets, apiUrl: apiUrl === null ? null : new URL(apiUrl), tax }
}

type StorageKeys = { accessKeyId: string; secretAccessKey: string; sessionToken: string | undefined }
type MediaConfig = {
  /** The bucket of pictures; null for the folder. */
  bucket: { location: BucketLocation; keys: StorageKeys } | null
  /** The keys of buckets: that of pictures, and those of backups. */
  keys: StorageKeys | null
  cacheMegabytes: number
}

function readMedia({ media }: Settings): MediaConfig {
  const { bucket, accessKeyId, secretAccessKey, sessionToken, cacheMegabytes } = media
  const keys =
    accessKeyId === undefined || secretAccessKey === undefined
      ? null
      : { accessKeyId, secretAccessKey, sessionToken }
  if (bucket === null) return { bucket, keys, cacheMegabytes }
  if (keys === null) {
    throw new ConfigurationError(
      'MEDIA_STORE is a bucket, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set too',
    )
  }
  return { bucket: { location: bucket, keys }, keys, cacheMegabytes }
}

/** The Twilio account that sends texts; null for none. */
function readTwilioAccount({ sms: { accountSid: sid, authToken, from } }: Settings) {
  if (sid === '') return null
  if (authToken === '' || from === '') {
    throw new ConfigurationError(
      'TWILIO_ACCOUNT_SID is set, so TWILIO_AUTH_TOKEN and TWILIO_FROM must be set too',
    )
  }
  return { sid, authToken }
}

function readCaptcha({ captcha }: Settings) {
  const { kind, siteKey, secret, verifyUrl } = captcha
  if (kind === 'off') return { kind }
  if (kind === 'altcha') return { kind }
  if (siteKey === '' || secret === '') {
    throw new ConfigurationError(`CAPTCHA is ${kind}: CAPTCHA_SITE_KEY and CAPTCHA_SECRET must be set too`)
  }
  return { kind, siteKey, secret, verifyUrl }
}

/** In development the numeric address and the dev server count as the same site. */
function developmentOrigins(url: URL, port: number): Set<string> {
  const origins = new Set([url.origin])
  for (const host of ['localhost', '127.0.0.1']) {
    origins.add(`http://${host}:${port}`).add(`http://${host}:5173`)
    if (url.hostname === 'localhost' || url.hostname === '127.0.0.1') {
      origins.add(`${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`)
    }
  }
  return origins
}

import { isIP } from 'node:net'
import path from 'node:path'
import type { Slot } from '@tidings/contracts/edition-key'
import { IANAZone } from 'luxon'
import { isWebOrigin } from '../platform/web-origin.ts'
import { ConfigurationError, type Env } from './env.ts'
import { type IdentityProviderConfig, readIdentityProviders } from './identity-providers.ts'
import { readSecrets, type Secrets } from './secrets.ts'

/** Which captcha signing up may ask for; the app says whether it does. */
export type CaptchaConfig =
  | { kind: 'off' }
  | { kind: 'altcha' }
  | {
      kind: 'hcaptcha' | 'turnstile' | 'recaptcha'
      siteKey: string
      secret: string
      /** Another address than the service's own. */
      verifyUrl: string | null
    }

/** How members pay: through Stripe, or not at all. */
export type PaymentsConfig = {
  stripe: {
    secretKey: string
    webhookSecret: string
    /** Another address than Stripe's own. */
    apiUrl: URL | null
    /** Whether prices exclude or include the tax that Stripe collects; null for none. */
    tax: 'exclusive' | 'inclusive' | null
  } | null
  /** For how long a plan stays open whose payment fails. */
  graceDays: number
  /** When off, payments to be refunded are left to the merchant. */
  automaticRefunds: boolean
}

/** How many tries an address has, per window, before `too-many-requests`. */
export type RateLimit = { points: number; seconds: number }

/** Folders and programs beside the code that a process needs. */
export type Locations = {
  /** The built web app. */
  webApp: string
  /** The built browser client of the membership protocol. */
  client: string
  /** Prisma's migrations, to know whether the database has them all. */
  migrations: string
  /** The program that hashes passwords. */
  hasher: string
}

/** Everything the processes need to know, typed and checked once at boot. */
export type Config = {
  environment: 'development' | 'production' | 'test'
  http: { port: number; host: string; trustProxy: boolean | number | string[]; requestTimeoutMs: number }
  site: {
    url: URL
    name: string
    /** Origins whose pages may open the live feed. */
    origins: ReadonlySet<string>
    timeZone: string
    /** In order of their time of day. */
    slots: Slot[]
    stagingHost: string
    tagManagerId: string
    legal: {
      company: string
      editorInChief: string
      contactEmail: string
      address: string
      artworkCredit: string
    }
    appId: string
    appPublicKey: string
    /** Further origins whose pages may use the membership protocol. */
    allowedOrigins: ReadonlySet<string>
  }
  /** argon2id: memory in KiB, passes, how many at once (0: as the machine allows), and how long one waits for its turn. */
  passwords: { memoryKiB: number; passes: number; concurrency: number; patienceMs: number }
  mail: { smtpUrl: string | null; from: string }
  payments: PaymentsConfig
  captcha: CaptchaConfig
  identityProviders: IdentityProviderConfig[]
  gate: { on: boolean }
  secrets: Secrets
  database: { url: string; connections: number }
  dataDir: string
  publishing: { latenessMinutes: number }
  phoneRegion: string
  logLevel: string
  metricsToken: string
  /** Whether the HTTP process works jobs too, beside the workers. */
  jobsInApi: boolean
  rateLimits: {
    gateTries: RateLimit
    entryBox: RateLimit
    newReaders: RateLimit
    deskFailures: RateLimit
    logins: RateLimit
    signups: RateLimit
    codes: RateLimit
    codeTries: RateLimit
    accountTries: RateLimit
    accountTriesInAll: RateLimit
    comments: RateLimit
    payments: RateLimit
    memberWrites: RateLimit
    exports: RateLimit
    profileImages: RateLimit
    networkProfileImages: RateLimit
    captchaChallenges: RateLimit
  }
  /** How many sockets of the live feed one network may have open at a process. */
  liveFeed: { socketsPerNetwork: number }
  /** After how many days an unused account with an unverified address is removed; 0 for never. */
  unverifiedDays: number
  /** For how many days a network or browser stays known after its last login. */
  knownSourceDays: number
  /** How many codes, or other emails about an account, of a kind one mailbox is sent. */
  mailLimits: { perHour: number; perDay: number }
  /** ADR 0031 explains how networks share these. */
  codeLimits: {
    tries: number
    triesInAll: number
    signupCodesPerDay: number
    resetGuessesPerHour: number
  }
  locations: Locations
}

/** Turns the environment into a {@link Config}; throws {@link ConfigurationError} naming what is wrong. */
export function readConfig(env: Env, locations: Locations): Config {
  const development = env.NODE_ENV !== 'production'
  const url = new URL(env.SITE_URL ?? `http://localhost:${env.PORT}`)
  if (!development && env.SITE_URL === undefined) {
    throw new ConfigurationError('In production SITE_URL must be set, such as https://news.example.com')
  }
  if (env.DATABASE_URL === undefined) {
    throw new ConfigurationError(
      'DATABASE_URL is not set. `npx --yes pnpm@12 start` brings a database of its own; otherwise name a Postgres here.',
    )
  }
  if (!IANAZone.isValidZone(env.SITE_TIME_ZONE)) {
    throw new ConfigurationError(`SITE_TIME_ZONE: there is no time zone called ${env.SITE_TIME_ZONE}`)
  }
  return {
    environment: env.NODE_ENV,
    http: {
      port: env.PORT,
      host: env.HOST ?? (development ? '127.0.0.1' : '0.0.0.0'),
      trustProxy: parseTrustProxy(env.TRUST_PROXY),
      requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
    },
    site: {
      url,
      name: env.SITE_NAME,
      origins: siteOrigins(url, env.PORT, development),
      timeZone: env.SITE_TIME_ZONE,
      slots: parseSlots(env.EDITION_SLOTS),
      stagingHost: env.STAGING_HOST,
      tagManagerId: env.TAG_MANAGER_ID,
      legal: {
        company: env.COMPANY_NAME,
        editorInChief: env.EDITOR_IN_CHIEF,
        contactEmail: env.CONTACT_EMAIL,
        address: env.COMPANY_ADDRESS,
        artworkCredit: env.ARTWORK_CREDIT,
      },
      appId: env.APP_ID,
      appPublicKey: env.APP_PUBLIC_KEY,
      allowedOrigins: parseOrigins(env.ALLOWED_ORIGINS, development),
    },
    passwords: readPasswords(env),
    mail: { smtpUrl: env.SMTP_URL ?? null, from: env.MAIL_FROM ?? `${env.SITE_NAME} <${env.CONTACT_EMAIL}>` },
    payments: readPayments(env),
    captcha: readCaptcha(env),
    identityProviders: readIdentityProviders(env),
    gate: { on: env.SITE_GATE === 'on' },
    secrets: readSecrets(env),
    database: { url: env.DATABASE_URL, connections: env.DATABASE_CONNECTIONS },
    dataDir: path.resolve(env.DATA_DIR),
    publishing: { latenessMinutes: env.PUBLISH_LATENESS_MINUTES },
    phoneRegion: env.PHONE_REGION,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN,
    jobsInApi: env.API_JOBS === 'on',
    rateLimits: {
      gateTries: { points: env.RATE_GATE_TRIES_PER_MINUTE, seconds: 60 },
      entryBox: { points: env.RATE_ENTRY_BOX_PER_MINUTE, seconds: 60 },
      newReaders: { points: env.RATE_NEW_READERS_PER_HOUR, seconds: 3600 },
      deskFailures: { points: env.RATE_DESK_FAILURES_PER_MINUTE, seconds: 60 },
      logins: { points: env.RATE_LOGINS_PER_MINUTE, seconds: 60 },
      signups: { points: env.RATE_SIGNUPS_PER_MINUTE, seconds: 60 },
      codes: { points: env.RATE_CODES_PER_MINUTE, seconds: 60 },
      codeTries: { points: env.RATE_CODE_TRIES_PER_MINUTE, seconds: 60 },
      accountTries: { points: env.RATE_ACCOUNT_TRIES_PER_HOUR, seconds: 3600 },
      accountTriesInAll: { points: env.RATE_ACCOUNT_TRIES_IN_ALL_PER_HOUR, seconds: 3600 },
      comments: { points: env.RATE_COMMENTS_PER_MINUTE, seconds: 60 },
      payments: { points: env.RATE_PAYMENTS_PER_MINUTE, seconds: 60 },
      memberWrites: { points: env.RATE_MEMBER_WRITES_PER_MINUTE, seconds: 60 },
      exports: { points: env.RATE_EXPORTS_PER_HOUR, seconds: 3600 },
      profileImages: { points: env.RATE_PROFILE_IMAGES_PER_HOUR, seconds: 3600 },
      networkProfileImages: { points: env.RATE_NETWORK_PROFILE_IMAGES_PER_HOUR, seconds: 3600 },
      captchaChallenges: { points: env.RATE_CAPTCHA_CHALLENGES_PER_MINUTE, seconds: 60 },
    },
    liveFeed: { socketsPerNetwork: env.LIVE_SOCKETS_PER_NETWORK },
    unverifiedDays: env.UNVERIFIED_DAYS,
    knownSourceDays: env.KNOWN_SOURCE_DAYS,
    mailLimits: { perHour: env.RATE_CODE_MAILS_PER_HOUR, perDay: env.RATE_CODE_MAILS_PER_DAY },
    codeLimits: {
      tries: env.RATE_TRIES_PER_CODE,
      triesInAll: env.RATE_TRIES_IN_ALL_PER_CODE,
      signupCodesPerDay: env.RATE_SIGNUP_CODES_PER_DAY,
      resetGuessesPerHour: env.RATE_RESET_GUESSES_PER_HOUR,
    },
    locations,
  }
}

/** Reads `10AM=10:00,3PM=15:00`: labels with their local times, sorted by time. */
export function parseSlots(text: string): Slot[] {
  const slots = text.split(',').map((part) => {
    const match = /^\s*([0-9A-Za-z]{1,12})\s*=\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(part)
    if (match?.[1] === undefined) {
      throw new ConfigurationError(`EDITION_SLOTS: '${part.trim()}' is not of the form 10AM=10:00`)
    }
    return { label: match[1], minutes: Number(match[2]) * 60 + Number(match[3]) }
  })
  if (new Set(slots.map((slot) => slot.label)).size !== slots.length) {
    throw new ConfigurationError('EDITION_SLOTS names a slot twice')
  }
  return slots.sort((a, b) => a.minutes - b.minutes)
}

/** `off`, `on` (trust every hop), a number of hops, or addresses and networks separated by commas. */
function parseTrustProxy(text: string): boolean | number | string[] {
  if (text === 'off' || text === 'on') return text === 'on'
  if (/^\d+$/.test(text)) return Number(text)
  const networks = text.split(',').map((part) => part.trim())
  const unknown = networks.find((network) => !isNetwork(network))
  if (unknown === undefined) return networks
  throw new ConfigurationError(
    `TRUST_PROXY: '${unknown}' is neither on, off, a number of proxies nor an address such as 10.0.0.0/8`,
  )
}

/** An address, a network in CIDR form, or one of the names that the server knows. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

// OWASP's Password Storage Cheat Sheet: these memories, in KiB, with these passes are equally strong.
const owaspParameters: readonly (readonly [memoryKiB: number, passes: number])[] = [
  [47_104, 1],
  [19_456, 2],
  [12_288, 3],
  [9_216, 4],
  [7_168, 5],
]

function readPasswords(env: Env): Config['passwords'] {
  const { PASSWORD_MEMORY_KIB: memoryKiB, PASSWORD_PASSES: passes, PASSWORD_CONCURRENCY: concurrency } = env
  const strong = owaspParameters.some(([memory, least]) => memoryKiB >= memory && passes >= least)
  if (!strong && env.NODE_ENV !== 'test') {
    throw new ConfigurationError(
      'PASSWORD_MEMORY_KIB and PASSWORD_PASSES are weaker than OWASP asks for: at least 19456 with 2, or 47104 with 1',
    )
  }
  return { memoryKiB, passes, concurrency, patienceMs: env.PASSWORD_PATIENCE_SECONDS * 1000 }
}

function readPayments(env: Env): PaymentsConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = env
  const always = { graceDays: env.PAYMENT_GRACE_DAYS, automaticRefunds: env.AUTOMATIC_REFUNDS === 'on' }
  if (secretKey === '') return { stripe: null, ...always }
  if (webhookSecret === '') {
    throw new ConfigurationError(
      'STRIPE_SECRET_KEY is set: STRIPE_WEBHOOK_SECRET must be set too, so that nobody else can tell of payments',
    )
  }
  if (apiUrl !== undefined && /^[sr]k_live_/.test(secretKey)) {
    throw new ConfigurationError(
      'STRIPE_API_URL sends calls elsewhere than to Stripe, and STRIPE_SECRET_KEY is a live one: empty one of them',
    )
  }
  return {
    stripe: {
      ...{ secretKey, webhookSecret, apiUrl: apiUrl === undefined ? null : new URL(apiUrl) },
      tax: env.STRIPE_TAX === 'on' ? env.STRIPE_TAX_BEHAVIOR : null,
    },
    ...always,
  }
}

function readCaptcha(env: Env): CaptchaConfig {
  const { CAPTCHA: kind, CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET: secret } = env
  if (kind === 'off') return { kind }
  if (kind === 'altcha') return { kind }
  if (siteKey === '' || secret === '') {
    throw new ConfigurationError(`CAPTCHA is ${kind}: CAPTCHA_SITE_KEY and CAPTCHA_SECRET must be set too`)
  }
  return { kind, siteKey, secret, verifyUrl: env.CAPTCHA_VERIFY_URL ?? null }
}

/** Reads origins separated by commas; the addresses that sites are worked on at count in development. */
function parseOrigins(text: string, development: boolean): ReadonlySet<string> {
  const given = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  for (const origin of given) {
    if (!isWebOrigin(origin)) {
      throw new ConfigurationError(
        `ALLOWED_ORIGINS: '${origin}' is not an origin such as https://www.example.com (no path, no slash at the end)`,
      )
    }
  }
  return new Set([...given, ...(development ? ['http://localhost:3000', 'http://localhost:5173'] : [])])
}

/** In development the numeric address and the reloading dev server count as the same site. */
function siteOrigins(url: URL, port: number, development: boolean): ReadonlySet<string> {
  const origins = new Set([url.origin])
  if (development) {
    for (const host of ['localhost', '127.0.0.1']) {
      origins.add(`http://${host}:${port}`)
      origins.add(`http://${host}:5173`)
      if (url.hostname === 'localhost' || url.hostname === '127.0.0.1') {
        origins.add(`${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`)
      }
    }
  }
  return origins
}

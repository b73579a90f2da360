import { languageTag } from '@tidings/contracts/site/language'
import { z } from 'zod'
import { databaseSettings } from './database-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { mediaSettings } from './media-settings.ts'
import { backupSettings, operatorSettings } from './operator-settings.ts'
import { pushSettings } from './push-settings.ts'
import { rateLimits } from './rate-limit-settings.ts'
import { choice, count, onOff, optionalText, optionalUrl, setting, text } from './setting.ts'
import {
  clockTime,
  clockTimeSlots,
  originList,
  phoneCountry,
  subjectFormat,
  timeZone,
  trustedProxies,
  workerMetricsPort,
} from './setting-formats.ts'
import { smsSettings } from './sms-settings.ts'
import { defaultSubjectFormat } from './subject-format.ts'

/** Every setting of the API. `pnpm env-example` writes `.env.example` from them. */
export const settings = z.object({
  environment: choice('NODE_ENV', ['development', 'production', 'test'], 'development').describe(
    'development, production or test. Production requires SITE_URL, SITE_SECRET and SITE_PASSWORD.',
  ),
  site: z.object({
    url: optionalUrl('SITE_URL').describe(
      'The address of the site, without a path. Links and the origin check of the live feed use it, never the Host header. With https, cookies are Secure. Default: http://localhost: and the PORT.',
    ),
    name: text('SITE_NAME', 'Tidings').describe('The name of the site.'),
    language: setting('SITE_LANGUAGE', 'en', languageTag).describe(
      'The language of the site, as a BCP 47 tag such as en, ar or pt-BR. Memos and articles without their own are in it.',
    ),
    editionComments: onOff('SITE_EDITION_COMMENTS', 'off').describe(
      'on shows comments below the memos of each edition. Gated articles always have them.',
    ),
    timeZone: setting('SITE_TIME_ZONE', 'America/Los_Angeles', timeZone).describe(
      'The time zone of edition dates and publishing times.',
    ),
    slots: setting('EDITION_SLOTS', '10AM=10:00,3PM=15:00,8PM=20:00', clockTimeSlots).describe(
      'The slots of a day: each label with its local time.',
    ),
    stagingHost: text('STAGING_HOST', '').describe(
      'The host name of a staging site. Its visitors go to the gate instead of the landing page.',
    ),
    tagManagerId: setting(
      'TAG_MANAGER_ID',
      '',
      z.string().regex(/^(|GTM-[A-Z0-9]{4,12})$/, 'must look like GTM-XXXXXXX, or be empty'),
    ).describe(
      'The Google Tag Manager container, GTM-XXXXXXX. Empty: readers are not asked for consent and nothing is loaded.',
    ),
    appId: setting(
      'APP_ID',
      'app_tidings',
      z.string().regex(/^app_[0-9A-Za-z]{1,60}$/, 'must be app_ and letters or digits'),
    ).describe(
      "The id and the public key of the site's membership app: app_… and pk_…, then letters and digits. Neither is a secret.",
    ),
    appPublicKey: setting(
      'APP_PUBLIC_KEY',
      'pk_tidings',
      z.string().regex(/^pk_[0-9A-Za-z_]{1,90}$/, 'must be pk_ and letters, digits or _'),
    ),
    allowedOrigins: setting('ALLOWED_ORIGINS', '', originList).describe(
      'Other origins whose pages may use the membership app, separated by commas: https://www.example.com,https://blog.example.com. Development adds http://localhost:3000, http://localhost:5173 and http://localhost:5174.',
    ),
  }),
  secrets: z.object({
    siteSecret: setting(
      'SITE_SECRET',
      null,
      z.string().min(32, 'must have at least 32 characters').optional(),
    ).describe(
      'Signs the cookies; at least 32 characters, made with `openssl rand -hex 32`. A new secret ends every gate pass. Development has its own.',
    ),
    sitePassword: optionalText('SITE_PASSWORD').describe(
      'The password that readers type at the gate. An empty password locks the site. A new password ends every gate pass. Default in development: tidings',
    ),
    editorApiKey: optionalText('EDITOR_API_KEY').describe(
      'A first editor key with every scope: random text without spaces, in production at least 32 characters (`openssl rand -hex 32`). A new value revokes the old key. `tidings keys` makes and revokes further keys. Default in development: tdk_development0000000000000000000000000000',
    ),
  }),
  gate: z.object({ on: onOff('SITE_GATE', 'on').describe('off removes the password from the site.') }),
  publishing: z.object({
    latenessMinutes: count('PUBLISH_LATENESS_MINUTES', 30, [1, 24 * 60]).describe(
      'How many minutes late a scheduled edition may still publish itself. After that, an editor decides.',
    ),
  }),
  delivery: z.object({
    delaySeconds: count('DELIVERY_DELAY_SECONDS', 60, [0, 3600]).describe(
      'How many seconds after its last memo an edition is sent to members. Each memo added before that starts them again. `start` sets it to 0.',
    ),
    digestLatest: setting('DIGEST_LATEST', '21:00', clockTime).describe(
      'The local time at which the evening digest is sent at the latest, with what the day has. It is sent earlier with the last edition of the day, though not before that slot.',
    ),
    unconfirmedAfterHours: count('UNCONFIRMED_AFTER_HOURS', 24, [1, 720]).describe(
      'Deliveries are unconfirmed when a worker was lost before the mail server replied. After this many hours they count as what UNCONFIRMED_AS says: sent, send-again, or none to leave them to an editor.',
    ),
    unconfirmedAs: choice('UNCONFIRMED_AS', ['none', 'sent', 'send-again'], 'none'),
    keptDays: count('DELIVERY_KEPT_DAYS', 90, [32, 3650]).describe(
      'How many days the deliveries of an edition are kept, and the notes about its corrections. After that, only its report is.',
    ),
    failoverToken: setting(
      'FAILOVER_TOKEN',
      null,
      z.string().min(32, 'must have at least 32 characters').optional(),
    ).describe(
      'Lets a failover hook, such as one of Patroni, confirm a promoted standby with `tidings deliveries confirm-instance --fenced-by TOKEN`. At least 32 characters, made with `openssl rand -hex 32`. Without it, a person confirms.',
    ),
    subjectFormat: setting('DELIVERY_SUBJECT', defaultSubjectFormat, subjectFormat).describe(
      "The subject of an edition's email, with {slot}, {title} (the first memo's), {more} (how many others), {day} and {site}. What is in [ and ] is left out if there is one memo only. Titles are cut so that the subject has at most 78 characters. The digest has its own.",
    ),
  }),
  phoneRegion: setting('PHONE_REGION', 'US', phoneCountry).describe(
    'The country (two capital letters) of phone numbers that readers type without a country code.',
  ),
  legal: z.object({
    company: text('COMPANY_NAME', 'Tidings LLC').describe('Shown on the legal pages and in emails.'),
    editorInChief: text('EDITOR_IN_CHIEF', 'The Editor'),
    address: text('COMPANY_ADDRESS', 'Los Angeles, California'),
    contactEmail: setting('CONTACT_EMAIL', 'hello@tidings.example', z.email()),
    artworkCredit: text('ARTWORK_CREDIT', 'a group of scholars'),
  }),
  http: z.object({
    port: count('PORT', 3000, [0, 65_535]).describe('The port of the site; 0 uses a free one.'),
    host: optionalText('HOST').describe(
      'The address to listen on. Default: 127.0.0.1, in production 0.0.0.0.',
    ),
    requestTimeoutSeconds: count('REQUEST_TIMEOUT_SECONDS', 30, [1, 600]).describe(
      'How long a request may take to arrive in full. A slower one gets 408 and its connection is closed.',
    ),
    drainSeconds: setting('DRAIN_SECONDS', null, z.coerce.number().int().min(0).max(600).optional()).describe(
      'How long a stopping API process goes on serving, while its /readyz fails, so that proxies send requests elsewhere first: longer than they take to notice. Allow 15 seconds more before the process is killed. Default: 0, in production 5.',
    ),
    trustProxy: setting('TRUST_PROXY', 'off', trustedProxies).describe(
      'Proxies whose X-Forwarded-For is trusted: off, on (all), a number of hops, or addresses and networks separated by commas.',
    ),
  }),
  database: databaseSettings,
  dataDir: text('DATA_DIR', '.data').describe(
    'The folder of uploaded pictures, of PDFs, and of what workers sent; `start` keeps its database and logs there too.',
  ),
  media: mediaSettings,
  jobsInApi: onOff('API_JOBS', 'on').describe(
    'off leaves all jobs to worker processes. `start` and `docker compose` run a worker and set this to off.',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
  ).describe('fatal, error, warn, info, debug, trace or silent.'),
  metricsToken: text('METRICS_TOKEN', '').describe('The Bearer token that /metrics requires. Empty: none.'),
  workerMetricsPort: setting('WORKER_METRICS_PORT', '9464', workerMetricsPort).describe(
    'The port of the /metrics and /healthz of a worker, at the address HOST; off for none, as `start` sets it. Give each worker of one machine its own.',
  ),
  revision: text('REVISION', 'unknown').describe(
    'The commit that runs, which `tidings version` and the metric tidings_build_info show. The image sets it.',
  ),
  rateLimits,
  codeLimits: z.object({
    tries: count('RATE_TRIES_PER_CODE', 5).describe(
      'Tries of one emailed code per network; and, for all codes of an account and kind together, from networks that neither know the account nor requested the code: in an hour, and twice as many in a day.',
    ),
    triesInAll: count('RATE_CODE_TRIES_IN_ALL_PER_HOUR', 100),
    signupCodesPerDay: count('RATE_SIGNUP_CODES_PER_DAY', 50).describe(
      'Sign-up codes that one network can request for addresses without an account. A solved captcha lifts this limit.',
    ),
    resetGuessesPerHour: count('RATE_RESET_GUESSES_PER_HOUR', 200, [3, 1_000]).describe(
      'Wrong reset codes sent without an email address: for a whole app, from networks that are new to the account; and from one network. With 200, many networks together find one code in 1,000 hours (ADR 0063).',
    ),
    networkResetGuessesPerHour: count('RATE_NETWORK_RESET_GUESSES_PER_HOUR', 3, [1, 100]),
  }),
  mailLimits: z.object({
    perHour: count('RATE_CODE_MAILS_PER_HOUR', 9).describe(
      'Emails of one kind to one mailbox. name+tag@ is the same mailbox as name@, and Gmail ignores dots. One network can request a third of the codes, and all new networks two thirds.',
    ),
    perDay: count('RATE_CODE_MAILS_PER_DAY', 15),
  }),
  knownSourceDays: count('KNOWN_SOURCE_DAYS', 90, [1, 3650]).describe(
    'How many days after its last login a network or browser still counts as known to the account.',
  ),
  liveFeed: z.object({
    socketsPerNetwork: count('LIVE_SOCKETS_PER_NETWORK', 500).describe(
      'Live feeds that one network may have open at each API process. The next one gets 429.',
    ),
  }),
  unverifiedDays: setting(
    'UNVERIFIED_DAYS',
    '30',
    z.coerce
      .number()
      .int()
      .min(0)
      .max(3650)
      .refine((days) => days === 0 || days > 7, 'must be 0, or at least 8'),
  ).describe(
    'After how many days an account with an unverified address is deleted: 0 for never, otherwise at least 8. Accounts that paid, were used after the day of sign-up, or hold comments or JSON are kept. An email warns seven days before.',
  ),
  passwords: z.object({
    memoryKiB: count('PASSWORD_MEMORY_KIB', 32_768, [1_024, 1_048_576]).describe(
      'The cost of a password hash (argon2id): memory in KiB, and passes. At least what OWASP recommends: 19456 with 2, or 47104 with 1. After a raise, each password is hashed again at its next login.',
    ),
    passes: count('PASSWORD_PASSES', 3, [1, 20]),
    concurrency: count('PASSWORD_CONCURRENCY', 0, [0, 256]).describe(
      'How many passwords are hashed at once, each with PASSWORD_MEMORY_KIB. 0 uses all cores but one where there are more than two.',
    ),
    queueSeconds: count('PASSWORD_QUEUE_SECONDS', 5, [1, 120]).describe(
      'How long a login or sign-up may wait for its password hash. One that would wait longer gets 503 at once. Raise it on a small machine that has other work to do.',
    ),
  }),
  captcha: z.object({
    kind: choice('CAPTCHA', ['off', 'altcha', 'hcaptcha', 'turnstile', 'recaptcha'], 'off').describe(
      'The captcha of the sign-up: off, altcha (solved by the browser, no other service), hcaptcha, turnstile or recaptcha. The last three need the two keys of the service.',
    ),
    siteKey: text('CAPTCHA_SITE_KEY', ''),
    secret: text('CAPTCHA_SECRET', ''),
    verifyUrl: optionalUrl('CAPTCHA_VERIFY_URL').describe("Another address than the captcha service's own."),
  }),
  identity: z.object({
    google: z.object({
      clientId: text('GOOGLE_CLIENT_ID', '').describe(
        'Each sign-in provider is offered once its settings are complete. Register this address with it, with your SITE_URL and its key (google, microsoft, apple, github): https://news.example.com/auth-provider/callback/google',
      ),
      clientSecret: text('GOOGLE_CLIENT_SECRET', ''),
    }),
    microsoft: z.object({
      clientId: text('MICROSOFT_CLIENT_ID', '').describe(
        'The tenant is common, organizations, consumers, or an id.',
      ),
      clientSecret: text('MICROSOFT_CLIENT_SECRET', ''),
      tenant: text('MICROSOFT_TENANT', 'common'),
    }),
    apple: z.object({
      clientId: text('APPLE_CLIENT_ID', '').describe(
        'The services id, the team id, the key id, and the text of the .p8 file on one line with \\n for line ends.',
      ),
      teamId: text('APPLE_TEAM_ID', ''),
      keyId: text('APPLE_KEY_ID', ''),
      privateKey: text('APPLE_PRIVATE_KEY', ''),
    }),
    github: z.object({
      clientId: text('GITHUB_CLIENT_ID', '').describe(
        'The address is for GitHub Enterprise; empty for github.com.',
      ),
      clientSecret: text('GITHUB_CLIENT_SECRET', ''),
      url: optionalUrl('GITHUB_URL'),
    }),
    oidc: text('OIDC_PROVIDERS', '').describe(
      'Other OpenID Connect providers, as a JSON list: [{"key":"acme","name":"Acme","issuer":"https://login.acme.example","clientId":"…","clientSecret":"…"}]. Optional: "icon" (an https address) and "clientAuthentication" (client_secret_post, the default, or client_secret_basic). `start` sets it to its emulator.',
    ),
  }),
  stripe: z.object({
    secretKey: text('STRIPE_SECRET_KEY', '').describe(
      'The secret key of Stripe, and the secret of its webhook endpoint SITE_URL/webhooks/stripe. Without a key `start` uses an emulator; elsewhere payments are off.',
    ),
    webhookSecret: text('STRIPE_WEBHOOK_SECRET', '').describe(
      'Two, separated by a comma or space, while an endpoint replaces another one.',
    ),
    apiUrl: optionalUrl('STRIPE_API_URL').describe(
      'The address of a Stripe emulator. Leave it empty for Stripe.',
    ),
    collectsTax: onOff('STRIPE_TAX', 'off').describe(
      'on: Stripe Tax, set up in the account, computes and collects tax; checkout asks for the billing address and tax ids. Prices exclude or include tax: exclusive or inclusive. Run `tidings payments sync` after changing either; running subscriptions keep their terms.',
    ),
    taxBehavior: choice('STRIPE_TAX_BEHAVIOR', ['exclusive', 'inclusive'], 'exclusive'),
  }),
  payments: z.object({
    graceDays: count('PAYMENT_GRACE_DAYS', 7, [0, 90]).describe(
      'How many days a plan stays open after its renewal could not be charged.',
    ),
    automaticRefunds: onOff('AUTOMATIC_REFUNDS', 'on').describe(
      'Whether a second payment for a plan, or one after the subscription or account ended, is refunded automatically. With off it is logged, counted and listed by `tidings payments report`, and you refund it.',
    ),
    customerOnDeletion: choice('CUSTOMER_ON_DELETION', ['delete', 'keep'], 'delete').describe(
      "What happens to the customer at Stripe of a member who deletes the account, once nothing is owed: delete removes it, keep leaves it there without name, email, phone, addresses, cards and metadata. Invoices and payments stay at Stripe in both cases. The site's privacy policy says which.",
    ),
  }),
  backup: backupSettings,
  operator: operatorSettings,
  mail: mailSettings,
  sms: smsSettings,
  push: pushSettings,
})

/** The parsed settings, before defaults that depend on each other. */
export type Settings = z.infer<typeof settings>

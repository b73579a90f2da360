import { z } from 'zod'

const onOff = z.enum(['on', 'off'])
const count = (fallback: number, min = 1, max = 1_000_000) =>
  z.coerce.number().int().min(min).max(max).default(fallback)
const text = (fallback: string) => z.string().default(fallback)

/** Every setting, as text from outside: name, form and default. `.env.example` explains each one. */
const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: count(3000, 0, 65_535),
  HOST: z.string().optional(),
  REQUEST_TIMEOUT_SECONDS: count(30, 1, 600),
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  SITE_NAME: text('Tidings'),
  SITE_PASSWORD: z.string().optional(),
  SITE_GATE: onOff.default('on'),
  SITE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SITE_TIME_ZONE: text('America/Los_Angeles'),
  EDITION_SLOTS: text('10AM=10:00,3PM=15:00,8PM=20:00'),
  DATABASE_URL: z.string().optional(),
  DATABASE_CONNECTIONS: count(10, 2, 200),
  DATA_DIR: text('.data'),
  TRUST_PROXY: text('off'),
  STAGING_HOST: text(''),
  TAG_MANAGER_ID: z
    .string()
    .regex(/^(|GTM-[A-Z0-9]{4,12})$/, 'must look like GTM-XXXXXXX, or be empty')
    .default(''),
  PUBLISH_LATENESS_MINUTES: count(30, 1, 24 * 60),
  EDITOR_API_KEY: z.string().optional(),
  PHONE_REGION: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters, such as US')
    .default('US'),
  COMPANY_NAME: text('Tidings LLC'),
  EDITOR_IN_CHIEF: text('The Editor'),
  COMPANY_ADDRESS: text('Los Angeles, California'),
  CONTACT_EMAIL: z.email().default('hello@tidings.example'),
  ARTWORK_CREDIT: text('a group of scholars'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  API_JOBS: onOff.default('on'),
  METRICS_TOKEN: text(''),
  APP_ID: z
    .string()
    .regex(/^app_[0-9A-Za-z]{1,60}$/, 'must be app_ and letters or digits')
    .default('app_tidings'),
  APP_PUBLIC_KEY: z
    .string()
    .regex(/^pk_[0-9A-Za-z_]{1,90}$/, 'must be pk_ and letters, digits or _')
    .default('pk_tidings'),
  ALLOWED_ORIGINS: text(''),
  UNVERIFIED_DAYS: count(30, 0, 3650).refine((days) => days === 0 || days > 7, 'must be 0, or at least 8'),
  PASSWORD_MEMORY_KIB: count(32_768, 1_024, 1_048_576),
  PASSWORD_PASSES: count(3, 1, 20),
  PASSWORD_CONCURRENCY: count(0, 0, 256),
  PASSWORD_PATIENCE_SECONDS: count(5, 1, 120),
  STRIPE_SECRET_KEY: text(''),
  STRIPE_WEBHOOK_SECRET: text(''),
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_TAX: onOff.default('off'),
  STRIPE_TAX_BEHAVIOR: z.enum(['exclusive', 'inclusive']).default('exclusive'),
  PAYMENT_GRACE_DAYS: count(7, 0, 90),
  AUTOMATIC_REFUNDS: onOff.default('on'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().optional(),
  CAPTCHA: z.enum(['off', 'altcha', 'hcaptcha', 'turnstile', 'recaptcha']).default('off'),
  CAPTCHA_SITE_KEY: text(''),
  CAPTCHA_SECRET: text(''),
  CAPTCHA_VERIFY_URL: z.url({ protocol: /^https?$/ }).optional(),
  GOOGLE_CLIENT_ID: text(''),
  GOOGLE_CLIENT_SECRET: text(''),
  MICROSOFT_CLIENT_ID: text(''),
  MICROSOFT_CLIENT_SECRET: text(''),
  MICROSOFT_TENANT: text('common'),
  APPLE_CLIENT_ID: text(''),
  APPLE_TEAM_ID: text(''),
  APPLE_KEY_ID: text(''),
  APPLE_PRIVATE_KEY: text(''),
  GITHUB_CLIENT_ID: text(''),
  GITHUB_CLIENT_SECRET: text(''),
  GITHUB_URL: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_PROVIDERS: text(''),
  RATE_GATE_TRIES_PER_MINUTE: count(30),
  RATE_ENTRY_BOX_PER_MINUTE: count(30),
  RATE_NEW_READERS_PER_HOUR: count(240),
  RATE_DESK_FAILURES_PER_MINUTE: count(30),
  RATE_LOGINS_PER_MINUTE: count(60),
  RATE_SIGNUPS_PER_MINUTE: count(30),
  RATE_CODES_PER_MINUTE: count(30),
  RATE_CODE_TRIES_PER_MINUTE: count(30),
  RATE_ACCOUNT_TRIES_PER_HOUR: count(20),
  RATE_ACCOUNT_TRIES_IN_ALL_PER_HOUR: count(200),
  KNOWN_SOURCE_DAYS: count(90, 1, 3650),
  RATE_TRIES_PER_CODE: count(5),
  RATE_TRIES_IN_ALL_PER_CODE: count(20),
  RATE_CODE_MAILS_PER_HOUR: count(9),
  RATE_CODE_MAILS_PER_DAY: count(15),
  RATE_SIGNUP_CODES_PER_DAY: count(50),
  RATE_RESET_GUESSES_PER_HOUR: count(9, 3, 9),
  RATE_COMMENTS_PER_MINUTE: count(30),
  RATE_PAYMENTS_PER_MINUTE: count(30),
  LIVE_SOCKETS_PER_NETWORK: count(500),
  RATE_MEMBER_WRITES_PER_MINUTE: count(60),
  RATE_EXPORTS_PER_HOUR: count(10),
  RATE_PROFILE_IMAGES_PER_HOUR: count(20),
  RATE_NETWORK_PROFILE_IMAGES_PER_HOUR: count(100),
  RATE_CAPTCHA_CHALLENGES_PER_MINUTE: count(60),
})

export type Env = z.infer<typeof envSchema>

/** A setting that is missing or malformed; the message names each one. Ends the boot. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

/**
 * Reads the environment. An empty value counts as not set, except for `SITE_PASSWORD`, where empty is a
 * state of its own (nobody passes).
 */
export function readEnv(environment: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' || name === 'SITE_PASSWORD'),
  )
  const result = envSchema.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new ConfigurationError(`These settings cannot be used:\n${lines.join('\n')}`)
}

/** The process's own environment: the one place that reads it. */
export function processEnv(): Env {
  return readEnv(process.env)
}

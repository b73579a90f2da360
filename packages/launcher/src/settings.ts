import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { repositoryRoot } from './repository.ts'

/** The settings of the site that `.env.example` explains. Tests start without those of the person who runs them. */
const siteSettings = [
  ...[
    'NODE_ENV',
    'PORT',
    'HOST',
    'SITE_URL',
    'SITE_NAME',
    'SITE_PASSWORD',
    'SITE_GATE',
    'SITE_SECRET',
    'SITE_TIME_ZONE',
  ],
  ...[
    'EDITION_SLOTS',
    'DATABASE_URL',
    'DATABASE_CONNECTIONS',
    'DATA_DIR',
    'TRUST_PROXY',
    'STAGING_HOST',
    'TAG_MANAGER_ID',
  ],
  ...[
    'PUBLISH_LATENESS_MINUTES',
    'EDITOR_API_KEY',
    'PHONE_REGION',
    'COMPANY_NAME',
    'EDITOR_IN_CHIEF',
    'COMPANY_ADDRESS',
  ],
  ...[
    'CONTACT_EMAIL',
    'ARTWORK_CREDIT',
    'LOG_LEVEL',
    'SANDBOX',
    'SANDBOX_PORT',
    'SMTP_URL',
    'SMTP_PORT',
    'APP_ID',
  ],
  ...['APP_PUBLIC_KEY', 'ALLOWED_ORIGINS', 'METRICS_TOKEN', 'API_JOBS', 'MAIL_FROM', 'OIDC_PROVIDERS'],
  ...['IDENTITY_REDIRECT_ORIGINS', 'GITHUB_URL', 'REQUEST_TIMEOUT_SECONDS', 'LIVE_SOCKETS_PER_NETWORK'],
]

/** And those that come in families. */
const settingFamilies = [
  ...['RATE_', 'STRIPE_', 'PAYMENT_', 'PASSWORD_', 'CAPTCHA'],
  ...['GOOGLE_', 'MICROSOFT_', 'APPLE_', 'GITHUB_CLIENT_'],
]

/** What the API itself falls back to in development; said here so that it can be shown. */
export const developmentDefaults = {
  SITE_PASSWORD: 'tidings',
  EDITOR_API_KEY: 'tdk_development0000000000000000000000000000',
}

/** What the API falls back to everywhere, for the same reason. */
export const appDefaults = { APP_ID: 'app_tidings', APP_PUBLIC_KEY: 'pk_tidings' }

/** The account that is seeded wherever anything is. */
export const seededLogin = { email: 'reader@tidings.example', password: 'tidings-reader' }

/** Reads `.env` at the top of the checkout, if there is one. What is set outside already wins. */
export function loadEnvFile() {
  const path = join(repositoryRoot, '.env')
  if (existsSync(path)) process.loadEnvFile(path)
}

/** The environment of this process without any setting of the site. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of Object.keys(env)) {
    const isSetting = siteSettings.includes(name) || settingFamilies.some((start) => name.startsWith(start))
    if (isSetting) delete env[name]
  }
  return env
}

/** A port from the environment; throws naming the setting when it is none. */
export function portFrom(name: string, fallback: number): number {
  const text = process.env[name]
  if (!text) return fallback
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new Error(`${name} is '${text}'; it takes a port from 0 (any free one) to 65535.`)
}

/** The folder of the database, the pictures and the logs. */
export function dataDirFrom(env: NodeJS.ProcessEnv): string {
  return resolve(repositoryRoot, env.DATA_DIR || '.data')
}

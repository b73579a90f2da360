import { appDefaults, developmentDefaults, environmentWithoutSettings } from './settings.ts'
import type { VapidKeys } from './vapid-keys.ts'

const emulatorKey = 'sk_test_tidings_local'
const emulatorAccount = 'AC00000000000000000000000074696464'

type SiteFacts = {
  /** Settings from the caller, which win over the defaults. */
  given: NodeJS.ProcessEnv
  port: number
  sandboxPort: number
  smtpPort: number
  bouncePort: number
  databaseUrl: string
  dataDir: string
  workers: number
  /** The keys of the data folder; null in production. */
  vapidKeys: VapidKeys | null
}

/**
 * Returns the environment of a site's processes. With `NODE_ENV=production` a missing secret stops the boot, and there
 * are no emulators unless `SANDBOX=on`.
 */
export function siteEnvironment(facts: SiteFacts): NodeJS.ProcessEnv {
  const { given, port, sandboxPort, smtpPort, bouncePort, databaseUrl, dataDir, workers, vapidKeys } = facts
  const isProduction = given.NODE_ENV === 'production'
  const sandbox = given.SANDBOX || (isProduction ? 'off' : 'on')
  const givenKey = given.STRIPE_SECRET_KEY
  const identityUrl = sandbox === 'on' ? identityUrlAt(given.HOST, sandboxPort) : ''
  return {
    ...environmentWithoutSettings(),
    NODE_ENV: 'development',
    ...appDefaults,
    ...(isProduction ? {} : developmentDefaults),
    ...(sandbox === 'on' ? emulatedMail({ smtpPort, bouncePort }) : {}),
    ...(identityUrl ? { OIDC_PROVIDERS: JSON.stringify([emulatedProviderAt(identityUrl)]) } : {}),
    ...(vapidKeys === null
      ? {}
      : { VAPID_PUBLIC_KEY: vapidKeys.publicKey, VAPID_PRIVATE_KEY: vapidKeys.privateKey }),
    ...(sandbox === 'on' ? { PUSH_SERVICE_URL: `http://${reachableHost(given.HOST)}:${sandboxPort}` } : {}),
    SANDBOX: sandbox,
    API_JOBS: workers > 0 ? 'off' : 'on',
    DELIVERY_DELAY_SECONDS: '0',
    // Several sites and workers run on one machine.
    WORKER_METRICS_PORT: 'off',
    // No proxy has to notice that the only process stops.
    DRAIN_SECONDS: '0',
    // Texts are also sent at night in development.
    ...(sandbox === 'on' ? { SMS_QUIET_HOURS: 'off' } : {}),
    // An empty setting counts as missing, except the password: an empty one closes the site.
    ...Object.fromEntries(
      Object.entries(given).filter(([name, value]) => value || (name === 'SITE_PASSWORD' && value === '')),
    ),
    // The emulators' keys count as missing: settings made for Docker Compose have another address for them.
    ...(sandbox === 'on' && (!givenKey || givenKey === emulatorKey)
      ? {
          ...stripeEmulatorSettings(given.HOST, { port, sandboxPort }),
          ...(given.STRIPE_WEBHOOK_URL ? { STRIPE_WEBHOOK_URL: given.STRIPE_WEBHOOK_URL } : {}),
        }
      : {}),
    ...(sandbox === 'on' && (!given.TWILIO_ACCOUNT_SID || given.TWILIO_ACCOUNT_SID === emulatorAccount)
      ? twilioEmulatorSettings(given.HOST, { port, sandboxPort })
      : {}),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SMTP_PORT: String(smtpPort),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  }
}

/** Returns the settings of the emulated mail server, which can return editions to a worker. */
function emulatedMail({ smtpPort, bouncePort }: Pick<SiteFacts, 'smtpPort' | 'bouncePort'>) {
  return {
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    BOUNCE_DOMAIN: 'bounces.tidings.example',
    BOUNCE_SMTP_PORT: String(bouncePort),
  }
}

/** Returns the issuer of the identity emulator, which only accepts `localhost`; empty under another host. */
export function identityUrlAt(host: string | undefined, sandboxPort: number): string {
  return reachableHost(host) === 'localhost' ? `http://localhost:${sandboxPort}/identity` : ''
}

/** Returns the identity emulator, with its one client, as a provider for `OIDC_PROVIDERS`. */
function emulatedProviderAt(issuer: string) {
  return { key: 'local', name: 'Tidings ID', issuer, clientId: 'tidings-local', clientSecret: 'local-secret' }
}

/** Returns the settings of the Stripe emulator, for a site without its own key. */
function stripeEmulatorSettings(
  host: string | undefined,
  { port, sandboxPort }: Pick<SiteFacts, 'port' | 'sandboxPort'>,
) {
  return {
    STRIPE_SECRET_KEY: emulatorKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_tidings_local',
    STRIPE_API_URL: stripeUrlAt(host, sandboxPort),
    STRIPE_WEBHOOK_URL: `http://${reachableHost(host)}:${port}/webhooks/stripe`,
  }
}

/** Returns the settings of the Twilio emulator, for a site without its own account. */
function twilioEmulatorSettings(
  host: string | undefined,
  { port, sandboxPort }: Pick<SiteFacts, 'port' | 'sandboxPort'>,
) {
  return {
    TWILIO_ACCOUNT_SID: emulatorAccount,
    TWILIO_AUTH_TOKEN: 'tidings-local-token',
    TWILIO_FROM: '+15005550006',
    TWILIO_API_URL: `http://${reachableHost(host)}:${sandboxPort}`,
    TWILIO_CALLBACK_ORIGIN: `http://${reachableHost(host)}:${port}`,
  }
}

/** Returns the address of the Stripe emulator. */
export function stripeUrlAt(host: string | undefined, sandboxPort: number): string {
  return `http://${reachableHost(host)}:${sandboxPort}`
}

/** Returns the host name under which this machine reaches a server that listens on `HOST`. */
export function reachableHost(host: string | undefined): string {
  const everywhere = ['', '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']
  return !host || everywhere.includes(host) ? 'localhost' : host
}

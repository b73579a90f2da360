import { appDefaults, developmentDefaults, environmentWithoutSettings } from './settings.ts'

const standInKey = 'sk_test_tidings_local'

type Known = {
  /** Settings that were given from outside. */
  given: NodeJS.ProcessEnv
  port: number
  sandboxPort: number
  smtpPort: number
  databaseUrl: string
  dataDir: string
  workers: number
}

/**
 * The environment of a site's processes. With `NODE_ENV=production` nothing is made up: a missing secret then stops the boot, and
 * there is neither inbox nor sign-in stand-in unless `SANDBOX=on` asks for them.
 */
export function siteEnvironment(known: Known): NodeJS.ProcessEnv {
  const { given, port, sandboxPort, smtpPort, databaseUrl, dataDir, workers } = known
  const isProduction = given.NODE_ENV === 'production'
  const sandbox = given.SANDBOX || (isProduction ? 'off' : 'on')
  const givenKey = given.STRIPE_SECRET_KEY
  const identityUrl = sandbox === 'on' ? identityUrlAt(given.HOST, sandboxPort) : ''
  return {
    ...environmentWithoutSettings(),
    NODE_ENV: 'development',
    ...appDefaults,
    ...(isProduction ? {} : developmentDefaults),
    ...(sandbox === 'on' ? { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` } : {}),
    ...(identityUrl ? { OIDC_PROVIDERS: JSON.stringify([standInAt(identityUrl)]) } : {}),
    SANDBOX: sandbox,
    API_JOBS: workers > 0 ? 'off' : 'on',
    // An empty setting counts as not given, except for the password: without one nobody gets in.
    ...Object.fromEntries(
      Object.entries(given).filter(([name, value]) => value || (name === 'SITE_PASSWORD' && value === '')),
    ),
    // The stand-in's own key counts as none: in settings made for compose its address is another than here.
    ...(sandbox === 'on' && (!givenKey || givenKey === standInKey)
      ? {
          ...stripeStandIn(given.HOST, { port, sandboxPort }),
          ...(given.STRIPE_WEBHOOK_URL ? { STRIPE_WEBHOOK_URL: given.STRIPE_WEBHOOK_URL } : {}),
        }
      : {}),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SMTP_PORT: String(smtpPort),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  }
}

/** The issuer of the sign-in stand-in; empty where the sandbox is not reached as this machine, whose name alone it answers to. */
export function identityUrlAt(host: string | undefined, sandboxPort: number): string {
  return reachableHost(host) === 'localhost' ? `http://localhost:${sandboxPort}/identity` : ''
}

/** The sign-in stand-in as `OIDC_PROVIDERS` takes it, with the one client that it knows. */
function standInAt(issuer: string) {
  return { key: 'local', name: 'Tidings ID', issuer, clientId: 'tidings-local', clientSecret: 'local-secret' }
}

/** The stand-in for Stripe beside the inbox, for a site that has no key of its own. */
function stripeStandIn(host: string | undefined, { port, sandboxPort }: Pick<Known, 'port' | 'sandboxPort'>) {
  return {
    STRIPE_SECRET_KEY: standInKey,
    STRIPE_WEBHOOK_SECRET: 'whsec_tidings_local',
    STRIPE_API_URL: stripeUrlAt(host, sandboxPort),
    STRIPE_WEBHOOK_URL: `http://${reachableHost(host)}:${port}/webhooks/stripe`,
  }
}

/** Where the stand-in for Stripe is reached. */
export function stripeUrlAt(host: string | undefined, sandboxPort: number): string {
  return `http://${reachableHost(host)}:${sandboxPort}`
}

/** How this machine reaches what listens on `HOST`. */
export function reachableHost(host: string | undefined): string {
  const everywhere = ['', '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']
  return !host || everywhere.includes(host) ? 'localhost' : host
}

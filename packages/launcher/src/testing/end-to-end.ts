import { freePort } from '../process/free-port.ts'
import { type Site, type SiteOptions, startSite } from '../site/site.ts'

/** The site of the end-to-end tests. */
export type EndToEndSite = Site & {
  /** Other origins that may use the membership protocol. A test starts a server there. */
  guestOrigin: string
  examplesOrigin: string
}

// The tests use one address and create many accounts, so limits are high and password hashes are cheap.
const endToEndSettings = {
  RATE_LOGINS_PER_MINUTE: '1000',
  RATE_SIGNUPS_PER_MINUTE: '1000',
  RATE_CODES_PER_MINUTE: '1000',
  RATE_CODE_TRIES_PER_MINUTE: '1000',
  RATE_WRONG_CODES_PER_HOUR: '1000',
  RATE_WRONG_CODES_IN_ALL_PER_HOUR: '1000',
  RATE_SEARCHES_PER_MINUTE: '1000',
  PASSWORD_MEMORY_KIB: '19456',
  PASSWORD_PASSES: '2',
  // Texts are sent at any time of the day.
  SMS_QUIET_HOURS: 'off',
}

// As wide as the narrowest stored width: encoding takes most of the time of seeding.
const seedPictureWidthPx = 360

/** Starts a seeded site for the end-to-end tests. */
export async function startEndToEndSite(options: SiteOptions = {}): Promise<EndToEndSite> {
  const guestOrigin = `http://localhost:${await freePort()}`
  const examplesOrigin = `http://localhost:${await freePort()}`
  const env = { ...endToEndSettings, ...options.env, ALLOWED_ORIGINS: `${guestOrigin},${examplesOrigin}` }
  return { ...(await startSite({ seedPictureWidthPx, ...options, env })), guestOrigin, examplesOrigin }
}

/** Returns the environment that tells Playwright's processes about the site. */
export function endToEndEnvironment(site: EndToEndSite): Record<string, string> {
  return {
    TIDINGS_SITE_URL: site.url,
    TIDINGS_INBOX_URL: site.inboxUrl,
    TIDINGS_STRIPE_URL: site.stripeUrl,
    TIDINGS_DATABASE_URL: site.databaseUrl,
    TIDINGS_SITE_PASSWORD: site.sitePassword,
    TIDINGS_EDITOR_KEY: site.editorKey,
    TIDINGS_PUBLIC_KEY: site.publicKey,
    TIDINGS_GUEST_ORIGIN: site.guestOrigin,
    TIDINGS_EXAMPLES_ORIGIN: site.examplesOrigin,
  }
}

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findChromium } from '../browser/chromium.ts'
import { freePort } from '../process/free-port.ts'
import { runTool } from '../process/run-tool.ts'
import { repositoryRoot } from '../repository.ts'
import { type Site, type SiteOptions, startSite } from '../site/site.ts'
import { endToEndReport } from './reports.ts'

const webDir = join(repositoryRoot, 'apps/web')

/** A site for the browser's journeys. */
export type JourneySite = Site & {
  /** The one other origin whose pages may speak the membership protocol. Nothing answers there yet. */
  guestOrigin: string
}

// All journeys come from one address, and make many accounts: their passwords cost the least that is allowed.
const journeySettings = {
  RATE_LOGINS_PER_MINUTE: '1000',
  RATE_SIGNUPS_PER_MINUTE: '1000',
  RATE_CODES_PER_MINUTE: '1000',
  RATE_CODE_TRIES_PER_MINUTE: '1000',
  PASSWORD_MEMORY_KIB: '19456',
  PASSWORD_PASSES: '2',
}

/** Brings up a seeded site for the journeys. Rejects like `startSite`. */
export async function startJourneySite(options: SiteOptions = {}): Promise<JourneySite> {
  const guestOrigin = `http://localhost:${await freePort()}`
  const env = { ...journeySettings, ...options.env, ALLOWED_ORIGINS: guestOrigin }
  return { ...(await startSite({ ...options, env })), guestOrigin }
}

/** How Playwright's processes learn of the site. */
export function journeyEnvironment(site: JourneySite): Record<string, string> {
  return {
    TIDINGS_SITE_URL: site.url,
    TIDINGS_INBOX_URL: site.inboxUrl,
    TIDINGS_STRIPE_URL: site.stripeUrl,
    TIDINGS_DATABASE_URL: site.databaseUrl,
    TIDINGS_SITE_PASSWORD: site.sitePassword,
    TIDINGS_EDITOR_KEY: site.editorKey,
    TIDINGS_PUBLIC_KEY: site.publicKey,
    TIDINGS_GUEST_ORIGIN: site.guestOrigin,
  }
}

/** Runs the browser's journeys against a site; answers whether all went well. Their counts are in the JSON report. */
export async function runEndToEnd(
  site: JourneySite,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const browser = await findChromium(say)
  const playwright = createRequire(join(webDir, 'package.json')).resolve('@playwright/test/package.json')
  const { succeeded } = await runTool([join(dirname(playwright), 'cli.js'), 'test', '--reporter=list,json'], {
    cwd: webDir,
    live: true,
    signal,
    env: {
      ...browser.env,
      CHROMIUM_PATH: browser.executablePath,
      PLAYWRIGHT_JSON_OUTPUT_FILE: endToEndReport,
      ...journeyEnvironment(site),
    },
  })
  return succeeded
}

import { join } from 'node:path'
import { seededLogin } from './site/settings.ts'
import type { Site } from './site/site.ts'
import { formatTable } from './table.ts'

/** The facts of a site that the table of `start` shows. */
export type ShownSite = Pick<
  Site,
  | 'appId'
  | 'databaseUrl'
  | 'editorKey'
  | 'identityUrl'
  | 'inboxUrl'
  | 'isSeeded'
  | 'logDir'
  | 'publicKey'
  | 'sitePassword'
  | 'stripeUrl'
  | 'url'
>

type Started = {
  /** Signs in at the desk as the seeded person; null without one. */
  signInLink: string | null
  rows: [string, string][]
  ms: number
}

/** Returns what `start` and `dev` print once the site runs. */
export function describeStart(
  site: ShownSite,
  command: 'start' | 'dev',
  { signInLink, rows, ms }: Started,
): string {
  const table = formatTable([
    ...rows,
    ['Site', site.url],
    ['Inbox', site.inboxUrl || '(none; SANDBOX is off)'],
    ['Identity emulator', site.identityUrl || '(none)'],
    ['Stripe emulator', site.stripeUrl ? `${site.stripeUrl}/stripe` : '(none; see STRIPE_SECRET_KEY)'],
    ['API reference', `${site.url}/docs`],
    ['Site password', site.sitePassword || '(none; the site is closed until you set SITE_PASSWORD)'],
    ['Desk', `${site.url}/desk`],
    ['Sign in there', signInLink ?? '(none; see `tidings people invite`)'],
    ['Editor key', site.editorKey || '(none; set EDITOR_API_KEY)'],
    ['Membership app', site.appId],
    ['Public key', site.publicKey],
    ['Login', site.isSeeded ? `${seededLogin.email} / ${seededLogin.password}` : '(none)'],
    ['Database', site.databaseUrl],
    ['Logs', join(site.logDir, '*.log')],
  ])
  const note =
    command === 'dev' ? 'It reloads when you change the sources.' : 'Your data stays for the next start.'
  return `\nTidings is running (ready in ${(ms / 1_000).toFixed(1)} s)\n\n${table}\n\n  Press Ctrl-C to stop. ${note}\n`
}

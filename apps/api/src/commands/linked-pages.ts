import { suggestedMethod } from '@tidings/contracts/delivery/methods'
import {
  brokenLinkPage,
  confirmPage,
  donePage,
  endedPage,
} from '../features/auth/verification/verification-pages.ts'
import { renderWebView } from '../features/delivery/emails/prepare-email.ts'
import { deliverySamples, sampleSite } from '../features/delivery/emails/samples.ts'
import {
  dashboardPath,
  expiredLinkPage,
  type Notice,
  preferencesPage,
  unsubscribedPage,
  unsubscribePage,
} from '../features/delivery/links/link-pages.ts'
import type { MemberChoices } from '../features/delivery/links/member-choices.ts'
import { fromWireMethod } from '../features/delivery/methods.ts'
import type { SmallPage } from '../http/pages/small-page.ts'

/** The kinds of pages that links in emails open. */
export type PageKind = 'web view' | 'preferences' | 'unsubscribe' | 'verify'

/** A page that a link in an email opens, in one of its states. */
export type LinkedPage = { kind: PageKind; sample: string; title: string; html: string }

const site = { name: sampleSite.name, language: sampleSite.language }
const earliest = { year: 2026, month: 11, day: 21 }
const notice: Notice = { kind: 'none', checked: null, earliest, latest: { ...earliest, year: 2027 } }
const methods = [suggestedMethod]
const choices: MemberChoices = {
  methods: new Set(methods),
  stored: new Set(methods),
  pausedUntil: null,
  pdfFormat: 'phone',
}
const link = { app: 'app_tidings', email: 'ada@example.com', code: '418206', signature: 'c2lnbmF0dXJl' }
const field = { field: 'password', message: 'Your password is incorrect. Please try again.' } as const

/** Returns every page that a link in an email opens, each in its states. */
export async function linkedPages(): Promise<LinkedPage[]> {
  const pages: LinkedPage[] = []
  const add = (kind: PageKind, sample: string, html: string) => {
    pages.push({ kind, sample, title: /<title>([^<]*)/.exec(html)?.[1] ?? '', html })
  }
  const addSmall = (kind: PageKind, samples: Record<string, SmallPage>) => {
    for (const [sample, { html }] of Object.entries(samples)) add(kind, sample, html)
  }

  const account = new URL(dashboardPath, sampleSite.url)
  for (const [sample, content] of Object.entries(deliverySamples)) {
    if (sample !== 'long memos') add('web view', sample, await renderWebView(content, sampleSite, account))
  }
  addSmall('preferences', {
    choices: preferencesPage(site, choices, notice),
    saved: preferencesPage(site, choices, { ...notice, kind: 'saved' }),
    paused: preferencesPage(site, { ...choices, pausedUntil: earliest }, { ...notice, kind: 'paused' }),
    'an invalid day': preferencesPage(site, choices, { ...notice, kind: 'invalid-day' }),
    expired: expiredLinkPage(site),
  })
  addSmall('unsubscribe', {
    asked: unsubscribePage(site, [fromWireMethod(suggestedMethod)]),
    done: unsubscribedPage(site, [fromWireMethod(suggestedMethod)]),
  })
  const confirm = confirmPage(site, link, { publicKey: 'pk_tidings' })
  addSmall('verify', {
    'with the session': { ...confirm, html: asBySession(confirm.html) },
    'with the password': confirm,
    'a wrong password': confirmPage(site, link, { publicKey: 'pk_tidings', invalid: field }),
    'confirmed by session': donePage(site, 'by session'),
    'confirmed by password': donePage(site, 'by password'),
    'confirmed by new password': donePage(site, 'by new password'),
    'confirmed before': endedPage(site, link, 'confirmed'),
    expired: endedPage(site, link, 'expired'),
    'replaced by a newer email': endedPage(site, link, 'replaced'),
    'of a former address': endedPage(site, link, 'ended'),
    incomplete: brokenLinkPage(site),
    'sent again': donePage(site, 'sent'),
    'address removed': donePage(site, 'declined'),
  })
  return pages
}

/** Returns the kinds of pages that an email of this kind leads to. */
export function pagesOfEmail(kind: string): PageKind[] {
  if (kind === 'verification') return ['verify']
  return kind === 'delivery' ? ['web view', 'preferences', 'unsubscribe'] : []
}

/** Returns a page as readers with this setting see it, whatever the setting of the browser that shows it. */
export function withBrightness(html: string, brightness: 'light' | 'dark'): string {
  return html
    .replaceAll(
      '@media (prefers-color-scheme: dark)',
      brightness === 'dark' ? '@media all' : '@media not all',
    )
    .replaceAll('color-scheme: light dark', `color-scheme: ${brightness}`)
}

/** Returns the page as its script shows it where the member is logged in. */
function asBySession(html: string): string {
  return html
    .replace('id="by-session" hidden', 'id="by-session"')
    .replace('<div id="by-password">', '<div id="by-password" hidden>')
}

import { suggestedMethod } from '@tidings/contracts/delivery/methods'
import { fail } from '#features/auth/auth.errors.ts'
import {
  brokenLinkPage,
  confirmPage,
  donePage,
  endedPage,
  failurePage,
  type InvalidField,
  notLoggedIn,
} from '#features/auth/verification/verification-pages.ts'
import { renderWebView } from '#features/delivery/content/email/prepare-email.ts'
import { deliverySamples, sampleSite } from '#features/delivery/content/email/samples.ts'
import { dashboardPath } from '#features/delivery/links/dashboard-path.ts'
import { fromWireMethod } from '#features/delivery/methods.ts'
import {
  accountDeletedPage,
  expiredLinkPage,
  invalidLinkPage,
  type Notice,
  preferencesPage,
  testLinkPage,
  unreadablePage,
  unsubscribedPage,
  unsubscribePage,
  withdrawnPage,
} from '#features/delivery/pages/link-pages.ts'
import type { MemberChoices } from '#features/delivery/pages/member-choices.ts'
import type { SmallPage } from '#http/site/small-page.ts'

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
const publicKey = 'pk_tidings'

/** Signed links that don't open their page. */
const refused: Record<string, SmallPage> = {
  expired: expiredLinkPage(site),
  'a wrong link': invalidLinkPage(site),
  'of a test': testLinkPage(site),
}
const refusedForms: Record<string, SmallPage> = {
  ...refused,
  'of a deleted account': accountDeletedPage(site),
  'not a form of ours': unreadablePage(site),
}

/** Returns every page that a link in an email opens, each in its states. */
export function linkedPages(): LinkedPage[] {
  const pages: LinkedPage[] = []
  const add = (kind: PageKind, sample: string, html: string) => {
    pages.push({ kind, sample, title: /<title>([^<]*)/.exec(html)?.[1] ?? '', html })
  }
  const addSmall = (kind: PageKind, samples: Record<string, SmallPage>) => {
    for (const [sample, { html }] of Object.entries(samples)) add(kind, sample, html)
  }

  const account = new URL(dashboardPath, sampleSite.url)
  for (const [sample, content] of Object.entries(deliverySamples)) {
    if (sample !== 'long memos') add('web view', sample, renderWebView(content, sampleSite, account))
  }
  addSmall('web view', { 'a withdrawn edition': withdrawnPage(site), ...refused })
  addSmall('preferences', {
    choices: preferencesPage(site, choices, notice),
    saved: preferencesPage(site, choices, { ...notice, kind: 'saved' }),
    paused: preferencesPage(site, { ...choices, pausedUntil: earliest }, { ...notice, kind: 'paused' }),
    continued: preferencesPage(site, choices, { ...notice, kind: 'continued' }),
    'a wrong day': preferencesPage(site, choices, { ...notice, kind: 'invalid-day' }),
    ...refusedForms,
  })
  addSmall('unsubscribe', {
    asked: unsubscribePage(site, [fromWireMethod(suggestedMethod)]),
    done: unsubscribedPage(site, [fromWireMethod(suggestedMethod)]),
    ...refusedForms,
  })
  addSmall('verify', verifyPages())
  return pages
}

/** Returns the pages of the link in a verification email. */
function verifyPages(): Record<string, SmallPage> {
  const confirm = confirmPage(site, link, { publicKey })
  const invalid = (field: InvalidField['field'], message: string) =>
    confirmPage(site, link, { publicKey, invalid: { field, message } })
  return {
    'with the session': { ...confirm, html: asBySession(confirm.html) },
    'with the password': confirm,
    'a wrong password': invalid('password', fail('invalid-credentials', 'account').message),
    'a session that has ended': invalid('password', notLoggedIn),
    'a short new password': invalid('newPassword', fail('invalid-password-too-short').message),
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
    'address not removed': failurePage(
      site,
      fail('access-denied', 'paying', 'help@example.com').message,
      link,
    ),
  }
}

/** Returns the kinds of pages that an email of this kind leads to. */
export function pagesOfEmail(kind: string): PageKind[] {
  if (kind === 'verification') return ['verify']
  return kind === 'delivery' ? ['web view', 'preferences', 'unsubscribe'] : []
}

/** A screen of the site that an email leads to, by a link or by its code. */
export type Screen = { path: string; name: string }

const screens: readonly Screen[] = [
  { path: '/account/dashboard', name: 'the account' },
  { path: '/account/change-plan', name: 'the plans' },
  { path: '/account/login', name: 'the login' },
  { path: '/resetpassword', name: 'the screen that resets a password' },
]
const resetScreens = screens.filter(({ path }) => path === '/resetpassword')

/** Returns the screens of the site that an email leads to. Only a running site shows them. */
export function screensOfEmail({ kind, text }: { kind: string; text: string }): readonly Screen[] {
  if (kind === 'reset-code') return resetScreens
  return screens.filter(({ path }) => text.split(/\s/).some((word) => word.endsWith(`/#${path}`)))
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

import {
  deliveryMethods,
  exclusionNote,
  factsOf,
  type DeliveryMethod as WireMethod,
} from '@tidings/contracts/delivery/methods'
import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import { type PageSite, type SmallPage, smallPage } from '#http/site/small-page.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { type Html, html } from '#platform/html/html.ts'
import { dashboardPath } from '../links/dashboard-path.ts'
import { type ChosenMethod, fromWireMethod, toWireMethod } from '../methods.ts'
import type { MemberChoices } from './member-choices.ts'

// Forms have no action: they post to the link itself, so that no page hands out a link that lasts longer.
const logIn = html`<p><a href="${dashboardPath}">Log in to change how you receive editions</a></p>`

/** Names methods in the middle of a sentence. */
function nameOf(methods: readonly ChosenMethod[]): string {
  return methods.map((method) => factsOf(toWireMethod(method)).name).join(' and ')
}

export function unsubscribePage(site: PageSite, methods: readonly ChosenMethod[]): SmallPage {
  const name = nameOf(methods)
  return smallPage({
    site,
    title: 'Unsubscribe',
    heading: `Unsubscribe from ${name}?`,
    content: html`<p>Your account and your plan stay as they are.</p>
<form method="post"><button>Unsubscribe</button></form>
${logIn}`,
    sendsForm: true,
  })
}

export function unsubscribedPage(site: PageSite, methods: readonly ChosenMethod[]): SmallPage {
  const name = nameOf(methods).replace(/^the (.+)$/, '$1s')
  return smallPage({
    site,
    title: 'Unsubscribed',
    heading: 'You’re unsubscribed',
    content: html`<p>We’ll send you no more ${name}.</p>
${logIn}`,
  })
}

/** The result of a form of the preferences page. */
export type Notice = {
  kind: 'none' | 'saved' | 'paused' | 'continued' | 'invalid-day'
  /** The boxes that were checked; null if none were sent. */
  checked: ReadonlySet<WireMethod> | null
  /** The first and the last day on which a pause can end. */
  earliest: CalendarDate
  latest: CalendarDate
}

const done: Readonly<Record<Notice['kind'], string>> = {
  none: '',
  saved: 'Your changes are saved.',
  paused: 'Deliveries are paused.',
  continued: 'Deliveries continue.',
  'invalid-day': '',
}

export function preferencesPage(site: PageSite, choices: MemberChoices, notice: Notice): SmallPage {
  const boxes = deliveryMethods.map(
    (method) =>
      html`<label class="choice"><input type="checkbox" name="method" value="${fromWireMethod(method)}"${choices.methods.has(method) && ' checked'}> ${factsOf(method).label}</label>\n`,
  )
  const excluded = exclusionNote(notice.checked ?? choices.stored, choices.methods)
  const lines = [done[notice.kind], excluded ?? ''].filter((line) => line !== '').join(' ')
  return smallPage({
    site,
    title: 'How you receive editions',
    heading: 'How you receive editions',
    content: html`${lines === '' ? html`<p>The evening digest replaces the other ways.</p>` : html`<p role="status">${lines}</p>`}
<form method="post"><fieldset><legend>Send me</legend>
${boxes}</fieldset><button name="action" value="save">Save</button></form>
${pagesForm(choices)}
${pauseForm(site, choices, notice)}
<p><a href="${dashboardPath}">Go to your account</a></p>`,
    sendsForm: true,
  })
}

const pdfFormatNames = [
  ['phone', 'Phone'],
  ['a4', 'A4, for printing'],
] as const satisfies readonly (readonly [PdfFormat, string])[]

/** Offers the choice between pages for a phone and A4 to members who receive PDFs. */
function pagesForm({ methods, pdfFormat }: MemberChoices): Html | null {
  if (![...methods].some((method) => factsOf(method).sends === 'PDFs')) return null
  const choices = pdfFormatNames.map(
    ([format, name]) =>
      html`<label class="choice"><input type="radio" name="pdfFormat" value="${format}"${format === pdfFormat && ' checked'}> ${name}</label>\n`,
  )
  return html`<form method="post"><fieldset><legend>Pages of the PDF</legend>
${choices}</fieldset><button class="quiet" name="action" value="pages">Save the pages</button></form>`
}

/** Offers a pause, or its end; nothing to members who receive nothing. */
function pauseForm(site: PageSite, choices: MemberChoices, { kind, earliest, latest }: Notice): Html | null {
  const { methods, pausedUntil } = choices
  if (pausedUntil !== null) {
    const day = formatDate(pausedUntil, site.language)
    return html`<form method="post"><p>Deliveries are paused. They continue on ${day}.</p>
<button class="quiet" name="action" value="continue">Continue now</button></form>`
  }
  if (methods.size === 0) return null
  const last = formatDate(latest, site.language)
  const isInvalid = kind === 'invalid-day'
  const error = html`<p class="error" id="day-error" role="alert">Choose a day from tomorrow on, up to ${last}.</p>`
  const invalid = html` aria-invalid="true" aria-describedby="day-error" autofocus`
  return html`<form method="post"><label for="day">Pause deliveries and continue on</label>
<input id="day" name="day" type="date" required min="${formatIsoDate(earliest)}" max="${formatIsoDate(latest)}"${isInvalid && invalid}>
${isInvalid && error}<button class="quiet" name="action" value="pause">Pause until then</button></form>`
}

function formatDate({ year, month, day }: CalendarDate, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(Date.UTC(year, month - 1, day))
}

export function expiredLinkPage(site: PageSite): SmallPage {
  return smallPage({
    site,
    title: 'This link has expired',
    heading: 'This link has expired',
    content: html`<p>Links in emails work for a limited time, and stop working when the account’s address or password changes.</p>
${logIn}`,
  })
}

/** Says that the post is no form of ours. */
export function unreadablePage(site: PageSite): SmallPage {
  return smallPage({
    site,
    title: 'Nothing was changed',
    heading: 'Nothing was changed',
    content: html`<p>We couldn’t read what was sent. Open the page again and use the form there.</p>
<p><a href="">Open the page again</a></p>`,
  })
}

export function testLinkPage(site: PageSite): SmallPage {
  return messagePage(site, 'This is a test link', 'It works in the emails and texts that members get.')
}

export function invalidLinkPage(site: PageSite): SmallPage {
  return messagePage(
    site,
    'This link doesn’t work',
    'It may be incomplete. Open it again from the email or the text, or change how you receive editions in your account.',
  )
}

export function accountDeletedPage(site: PageSite): SmallPage {
  const link = { href: '/', label: `Go to ${site.name}` }
  return messagePage(site, 'This account is deleted', 'We send no more editions to it.', link)
}

export function withdrawnPage(site: PageSite): SmallPage {
  const link = { href: '/', label: 'Read the newest edition' }
  return messagePage(site, 'This edition was withdrawn', 'The editors took it back.', link)
}

function messagePage(
  site: PageSite,
  heading: string,
  text: string,
  { href, label } = { href: dashboardPath, label: 'Go to your account' },
): SmallPage {
  const content = html`<p>${text}</p>\n<p><a href="${href}">${label}</a></p>`
  return smallPage({ site, title: heading, heading, content })
}

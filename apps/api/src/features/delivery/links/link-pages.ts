import {
  deliveryMethods,
  exclusionNote,
  factsOf,
  type DeliveryMethod as WireMethod,
} from '@tidings/contracts/delivery-methods'
import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import type { DeliveryMethod } from '#generated/prisma/client.ts'
import { escapeHtml } from '#http/pages/site-config.ts'
import { type PageSite, type SmallPage, smallPage } from '#http/pages/small-page.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { fromWireMethod, toWireMethod } from '../methods.ts'
import type { MemberChoices } from './links.service.ts'

/** The addresses to which the forms of a delivery's pages post. */
export type Forms = { unsubscribe: string; preferences: string }

/** Where members change how they receive editions. */
export const dashboardPath = '/#/account/dashboard'

export function unsubscribePage(site: PageSite, method: DeliveryMethod, forms: Forms): SmallPage {
  const { name } = factsOf(toWireMethod(method))
  return smallPage({
    site,
    title: 'Unsubscribe',
    heading: `Unsubscribe from ${name}?`,
    content: `<p>Your account and your plan stay as they are.</p>
<form method="post" action="${forms.unsubscribe}"><button>Unsubscribe</button></form>
<p><a href="${forms.preferences}">Change how you receive editions</a></p>`,
    sendsForm: true,
  })
}

export function unsubscribedPage(site: PageSite, method: DeliveryMethod, forms: Forms): SmallPage {
  return smallPage({
    site,
    title: 'Unsubscribed',
    heading: 'You’re unsubscribed',
    content: `<p>We’ll send you no more ${escapeHtml(factsOf(toWireMethod(method)).name.replace(/^the (.+)$/, '$1s'))}.</p>
<p><a href="${forms.preferences}">Change how you receive editions</a></p>`,
  })
}

/** What a form of the preferences page has done. */
export type Notice = 'none' | 'saved' | 'paused' | 'continued' | 'invalid-day'

type Preferences = {
  choices: MemberChoices
  /** The boxes that were checked; null if none were sent. */
  checked: ReadonlySet<WireMethod> | null
  notice: Notice
  /** The first day on which a pause can end. */
  earliest: CalendarDate
}

const notices: Readonly<Record<Exclude<Notice, 'none' | 'invalid-day'>, string>> = {
  saved: 'Your changes are saved.',
  paused: 'Deliveries are paused.',
  continued: 'Deliveries continue.',
}

export function preferencesPage(
  site: PageSite,
  { choices, checked, notice, earliest }: Preferences,
  { preferences }: Forms,
): SmallPage {
  const boxes = deliveryMethods.map(
    (method) =>
      `<label class="choice"><input type="checkbox" name="method" value="${fromWireMethod(method)}"${choices.methods.has(method) ? ' checked' : ''}> ${escapeHtml(factsOf(method).label)}</label>`,
  )
  const done = notice === 'none' || notice === 'invalid-day' ? '' : notices[notice]
  const note = exclusionNote(checked ?? choices.stored, choices.methods) ?? ''
  const lines = [done, note].filter((line) => line !== '').join(' ')
  return smallPage({
    site,
    title: 'How you receive editions',
    heading: 'How you receive editions',
    content: `${lines === '' ? '<p>The evening digest replaces the other ways.</p>' : `<p role="status">${lines}</p>`}
<form method="post" action="${preferences}"><fieldset><legend>Send me</legend>
${boxes.join('\n')}
</fieldset><button>Save</button></form>
${pagesForm(choices, preferences)}
${pauseForm(site, { choices, checked, notice, earliest }, preferences)}
<p><a href="${dashboardPath}">Go to your account</a></p>`,
    sendsForm: true,
  })
}

const pdfFormatNames = [
  ['phone', 'Phone'],
  ['a4', 'A4, for printing'],
] as const satisfies readonly (readonly [PdfFormat, string])[]

/** Offers the choice between pages for a phone and A4 to members who receive PDFs. */
function pagesForm({ methods, pdfFormat }: MemberChoices, action: string): string {
  if (![...methods].some((method) => factsOf(method).sends === 'PDFs')) return ''
  const choices = pdfFormatNames.map(
    ([format, name]) =>
      `<label class="choice"><input type="radio" name="pdfFormat" value="${format}"${format === pdfFormat ? ' checked' : ''}> ${name}</label>`,
  )
  return `<form method="post" action="${action}"><fieldset><legend>Pages of the PDF</legend>
${choices.join('\n')}
</fieldset><button class="quiet" name="action" value="pages">Save the pages</button></form>`
}

/** Offers a pause, or its end; nothing to members who receive nothing. */
function pauseForm(site: PageSite, { choices, notice, earliest }: Preferences, action: string): string {
  const { methods, pausedUntil } = choices
  const open = `<form method="post" action="${action}">`
  if (pausedUntil !== null) {
    const day = escapeHtml(formatDate(pausedUntil, site.language))
    return `${open}<p>Deliveries are paused. They continue on ${day}.</p>
<button class="quiet" name="action" value="continue">Continue now</button></form>`
  }
  if (methods.size === 0) return ''
  const error =
    notice === 'invalid-day'
      ? '<p class="error" id="day-error" role="alert">Choose a day from tomorrow on.</p>'
      : ''
  const invalid = error === '' ? '' : ' aria-invalid="true" aria-describedby="day-error" autofocus'
  return `${open}<label for="day">Pause deliveries and continue on</label>
<input id="day" name="day" type="date" required min="${formatIsoDate(earliest)}"${invalid}>
${error}<button class="quiet" name="action" value="pause">Pause until then</button></form>`
}

function formatDate({ year, month, day }: CalendarDate, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(Date.UTC(year, month - 1, day))
}

export function expiredLinkPage(site: PageSite): SmallPage {
  return messagePage(
    site,
    'This link has expired',
    'You can change how you receive editions in your account.',
  )
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
  return messagePage(site, 'This account is deleted', 'We send no more editions to it.')
}

export function withdrawnPage(site: PageSite): SmallPage {
  return messagePage(site, 'This edition was withdrawn', 'The newest editions are on the site.')
}

function messagePage(site: PageSite, heading: string, text: string): SmallPage {
  const content = `<p>${escapeHtml(text)}</p>\n<p><a href="${dashboardPath}">Go to your account</a></p>`
  return smallPage({ site, title: heading, heading, content })
}

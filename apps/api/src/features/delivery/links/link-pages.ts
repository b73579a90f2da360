import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import { escapeHtml } from '#http/pages/site-config.ts'
import { type PageSite, type SmallPage, smallPage } from '#http/pages/small-page.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { DeliveryMethod } from './linked-deliveries.repository.ts'
import type { MemberChoices } from './links.service.ts'
import { memberMethods } from './member-methods.ts'

/** The addresses to which the forms of a delivery's pages post. */
export type Forms = { unsubscribe: string; preferences: string }

/** Where members change how they receive editions. */
export const dashboardPath = '/#/account/dashboard'

/** The names in the middle of a sentence. */
const namesInText: Readonly<Record<DeliveryMethod, string>> = {
  memo_email: 'memos by email',
  memo_sms: 'memos by text message',
  pdf_email: 'PDFs by email',
  pdf_sms: 'PDFs by text message',
  digest: 'the evening digest',
}

/** Names methods in the middle of a sentence. */
function nameOf(methods: readonly DeliveryMethod[]): string {
  return methods.map((method) => namesInText[method]).join(' and ')
}

export function unsubscribePage(site: PageSite, methods: readonly DeliveryMethod[], forms: Forms): SmallPage {
  const name = nameOf(methods)
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

export function unsubscribedPage(
  site: PageSite,
  methods: readonly DeliveryMethod[],
  forms: Forms,
): SmallPage {
  return smallPage({
    site,
    title: 'Unsubscribed',
    heading: 'You’re unsubscribed',
    content: `<p>We’ll send you no more ${escapeHtml(nameOf(methods).replace('the evening digest', 'evening digests'))}.</p>
<p><a href="${forms.preferences}">Change how you receive editions</a></p>`,
  })
}

/** What a form of the preferences page has done. */
export type Notice = 'none' | 'saved' | 'paused' | 'continued' | 'invalid-day'

type Preferences = {
  choices: MemberChoices
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
  { choices, notice, earliest }: Preferences,
  { preferences }: Forms,
): SmallPage {
  const boxes = memberMethods.map(
    ([method, name]) =>
      `<label class="choice"><input type="checkbox" name="method" value="${method}"${choices.methods.has(method) ? ' checked' : ''}> ${escapeHtml(name)}</label>`,
  )
  const isQuiet = notice === 'none' || notice === 'invalid-day'
  return smallPage({
    site,
    title: 'How you receive editions',
    heading: 'How you receive editions',
    content: `${isQuiet ? '<p>The evening digest replaces the other ways.</p>' : `<p role="status">${notices[notice]}</p>`}
<form method="post" action="${preferences}"><fieldset><legend>Send me</legend>
${boxes.join('\n')}
</fieldset><button>Save</button></form>
${pagesForm(choices, preferences)}
${pauseForm(site, { choices, notice, earliest }, preferences)}
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
  if (methods.has('digest') || !(methods.has('pdf_email') || methods.has('pdf_sms'))) return ''
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

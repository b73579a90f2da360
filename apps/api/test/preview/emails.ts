import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { prepareDeliveryEmail } from '#features/delivery/content/email/prepare-email.ts'
import { deliverySamples, sampleLinks, sampleSite } from '#features/delivery/content/email/samples.ts'
import { createEmailSite } from '#features/mail/layout/email-site.ts'
import { emailDefinitions } from '#features/mail/registry.ts'
import { renderEmail } from '#features/mail/render-email.ts'
import { joinFilled } from '#integrations/mail/bulk-mailer.ts'
import { type Html, html } from '#platform/html/html.ts'
import { linkedPages, pagesOfEmail, screensOfEmail, withBrightness } from './linked-pages.ts'
import { sampleTexts } from './sample-texts.ts'

type Email = { subject: string; html: string; text: string }

const folder = fileURLToPath(new URL('../../../../.cache/', import.meta.url))

/** Writes one page with every email, every page that emails link to, in light and dark, and the texts. */
async function main(): Promise<void> {
  const site = createEmailSite({
    appName: 'Tidings',
    siteUrl: new URL('https://news.example.com'),
    contact: 'help@example.com',
    timeZone: 'America/Los_Angeles',
    language: 'en',
  })
  const entries: Html[] = []
  const sections: Html[] = []
  const pages: Html[] = []
  const add = (list: Html[], kind: string, sample: string, title: string, content: Html) => {
    list.push(html`<li><a href="#${idOf(kind, sample)}">${title}</a> ${kind} (${sample})</li>`)
    const heading = html`<h2>${title}</h2><p>${kind} (${sample})</p>`
    sections.push(html`<section id="${idOf(kind, sample)}">${heading}${content}</section>`)
  }
  const show = (kind: string, sample: string, { subject, text, ...email }: Email) => {
    const content = html`${linksOf(kind, text)}${frames(email.html)}<pre>${text}</pre>`
    add(entries, kind, sample, subject, content)
  }
  for (const definition of emailDefinitions) {
    for (const [sample, data] of definition.samples) {
      show(definition.kind, sample, renderEmail(definition, data, site))
    }
  }
  for (const [sample, content] of Object.entries(deliverySamples)) {
    const fill = prepareDeliveryEmail(content, sampleSite)
    const email = fill(sampleLinks)
    show('delivery', sample, {
      subject: email.subject,
      html: joinFilled(email.html),
      text: joinFilled(email.text),
    })
  }
  for (const page of linkedPages()) {
    add(pages, page.kind, page.sample, decodeHtml(page.title), frames(page.html))
  }
  const file = `${folder}emails.html`
  await mkdir(folder, { recursive: true })
  await writeFile(
    file,
    html`${head}<h1>Emails</h1><ol>${entries}</ol>
<h1>Pages that emails link to</h1><ol>${pages}</ol>${reset}${sections}${textSections()}`.toString(),
  )
  process.stdout.write(`${entries.length} samples, ${pages.length} pages: ${pathToFileURL(file)}\n`)
}

const head = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; color-scheme: light; }
  iframe { border: 1px solid #ccc; height: 780px; margin-right: 16px; width: 390px; }
  pre { display: inline-block; max-width: 480px; vertical-align: top; white-space: pre-wrap; }
</style>`

const siteUrl = 'http://localhost:3000'
// The web app renders its screens, so they are opened on a running site.
const reset = html`<p>A code that resets a password is entered in a screen of the site, which only a running site shows: start one, then open <a href="${siteUrl}/#/resetpassword">${siteUrl}/#/resetpassword</a>, and request a code. Its states: the address, the code and the new password, a code that is wrong, used or expired, and the changed password.</p>`

function idOf(kind: string, sample: string): string {
  return `${kind} ${sample}`.replaceAll(' ', '-')
}

/** Links to the pages that an email of this kind leads to; the index lists their other states. */
function linksOf(kind: string, text: string): Html | null {
  const first = {
    'web view': 'edition',
    preferences: 'choices',
    unsubscribe: 'asked',
    verify: 'with the session',
  }
  const pages = pagesOfEmail(kind).map((page) => html`<a href="#${idOf(page, first[page])}">${page}</a>`)
  const screens = screensOfEmail({ kind, text }).map(
    ({ path, name }) => html`<a href="${siteUrl}/#${path}">${name}</a> (on a running site)`,
  )
  const links = [...pages, ...screens]
  const list = links.map((link, index) => [index > 0 && ', ', link])
  return links.length === 0 ? null : html`<p>Leads to: ${list}</p>`
}

function textSections(): Html {
  const texts = Object.entries(sampleTexts())
  return html`<h1>Texts</h1>${texts.map(([name, text]) => html`<h2>${name}</h2><pre>${text}</pre>`)}`
}

function frames(page: string): Html {
  const frameOf = (brightness: 'light' | 'dark') =>
    html`<iframe srcdoc="${withBrightness(page, brightness)}"></iframe>`
  return html`${frameOf('light')}${frameOf('dark')}`
}

function decodeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

await main()

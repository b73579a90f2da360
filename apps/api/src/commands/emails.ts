import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { prepareDeliveryEmail } from '../features/delivery/content/email/prepare-email.ts'
import { deliverySamples, sampleLinks, sampleSite } from '../features/delivery/content/email/samples.ts'
import { createEmailSite } from '../features/mail/layout/email-site.ts'
import { emailDefinitions } from '../features/mail/registry.ts'
import { renderEmail } from '../features/mail/render-email.ts'
import { joinFilled } from '../integrations/mail/bulk-mailer.ts'
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
  const entries: string[] = []
  const sections: string[] = []
  const pages: string[] = []
  const add = (list: string[], kind: string, sample: string, title: string, content: string) => {
    list.push(`<li><a href="#${idOf(kind, sample)}">${escapeHtml(title)}</a> ${kind} (${sample})</li>`)
    const heading = `<h2>${escapeHtml(title)}</h2><p>${kind} (${sample})</p>`
    sections.push(`<section id="${idOf(kind, sample)}">${heading}${content}</section>`)
  }
  const show = (kind: string, sample: string, { subject, html, text }: Email) => {
    const content = `${linksOf(kind, text)}${frames(html)}<pre>${escapeHtml(text)}</pre>`
    add(entries, kind, sample, subject, content)
  }
  for (const definition of emailDefinitions) {
    for (const [sample, data] of definition.samples) {
      show(definition.kind, sample, renderEmail(definition, data, site))
    }
  }
  for (const [sample, content] of Object.entries(deliverySamples)) {
    const fill = prepareDeliveryEmail(content, sampleSite)
    const { subject, html, text } = fill(sampleLinks)
    show('delivery', sample, { subject, html: joinFilled(html), text: joinFilled(text) })
  }
  for (const { kind, sample, title, html } of linkedPages()) {
    add(pages, kind, sample, decodeHtml(title), frames(html))
  }
  const file = `${folder}emails.html`
  await mkdir(folder, { recursive: true })
  await writeFile(
    file,
    `${head}<h1>Emails</h1><ol>${entries.join('')}</ol>
<h1>Pages that emails link to</h1><ol>${pages.join('')}</ol>${reset}${sections.join('')}${textSections()}`,
  )
  process.stdout.write(`${entries.length} samples, ${pages.length} pages: ${pathToFileURL(file)}\n`)
}

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; color-scheme: light; }
  iframe { border: 1px solid #ccc; height: 780px; margin-right: 16px; width: 390px; }
  pre { display: inline-block; max-width: 480px; vertical-align: top; white-space: pre-wrap; }
</style>`

const siteUrl = 'http://localhost:3000'
// The web app renders its screens, so they are opened on a running site.
const reset = `<p>A code that resets a password is entered in a screen of the site, which only a running site shows: start one, then open <a href="${siteUrl}/#/resetpassword">${siteUrl}/#/resetpassword</a>, and request a code. Its states: the address, the code and the new password, a code that is wrong, used or expired, and the changed password.</p>`

function idOf(kind: string, sample: string): string {
  return `${kind} ${sample}`.replaceAll(' ', '-')
}

/** Links to the pages that an email of this kind leads to; the index lists their other states. */
function linksOf(kind: string, text: string): string {
  const first = {
    'web view': 'edition',
    preferences: 'choices',
    unsubscribe: 'asked',
    verify: 'with the session',
  }
  const pages = pagesOfEmail(kind).map((page) => `<a href="#${idOf(page, first[page])}">${page}</a>`)
  const screens = screensOfEmail({ kind, text }).map(
    ({ path, name }) => `<a href="${siteUrl}/#${path}">${name}</a> (on a running site)`,
  )
  const links = [...pages, ...screens]
  return links.length === 0 ? '' : `<p>Leads to: ${links.join(', ')}</p>`
}

function textSections(): string {
  const texts = Object.entries(sampleTexts())
  return `<h1>Texts</h1>${texts.map(([name, text]) => `<h2>${name}</h2><pre>${escapeHtml(text)}</pre>`).join('')}`
}

function frames(html: string): string {
  return (['light', 'dark'] as const)
    .map((brightness) => `<iframe srcdoc="${escapeHtml(withBrightness(html, brightness))}"></iframe>`)
    .join('')
}

function decodeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

await main()

import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { prepareDeliveryEmail } from '../features/delivery/emails/prepare-email.ts'
import { deliverySamples, sampleLinks, sampleSite } from '../features/delivery/emails/samples.ts'
import { emailDefinitions } from '../features/mail/emails/registry.ts'
import { createEmailSite } from '../features/mail/layout/email-site.ts'
import { renderEmail } from '../features/mail/render-email.ts'
import { joinFilled } from '../integrations/mail/bulk-mailer.ts'

type Email = { subject: string; html: string; text: string }

const folder = fileURLToPath(new URL('../../../../.cache/', import.meta.url))
const darkQuery = '@media (prefers-color-scheme: dark)'

/** Renders every email with each of its samples, in light, dark and plain text, as one page. */
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
  const show = (kind: string, sample: string, { subject, html, text }: Email) => {
    const id = `${kind} ${sample}`.replaceAll(' ', '-')
    entries.push(`<li><a href="#${id}">${escapeHtml(subject)}</a> ${kind} (${sample})</li>`)
    const frames = [html.replace(darkQuery, '@media not all'), html.replace(darkQuery, '@media all')]
      .map((page) => `<iframe srcdoc="${escapeHtml(page)}"></iframe>`)
      .join('')
    const heading = `<h2>${escapeHtml(subject)}</h2><p>${kind} (${sample})</p>`
    sections.push(`<section id="${id}">${heading}${frames}<pre>${escapeHtml(text)}</pre></section>`)
  }
  for (const definition of emailDefinitions) {
    for (const [sample, data] of definition.samples) {
      show(definition.kind, sample, await renderEmail(definition, data, site))
    }
  }
  for (const [sample, content] of Object.entries(deliverySamples)) {
    const fill = await prepareDeliveryEmail(content, sampleSite)
    const { subject, html, text } = fill(sampleLinks)
    show('delivery', sample, { subject, html: joinFilled(html), text: joinFilled(text) })
  }
  const file = `${folder}emails.html`
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${head}<h1>Emails</h1><ol>${entries.join('')}</ol>${sections.join('')}`)
  process.stdout.write(`${entries.length} samples: ${pathToFileURL(file)}\n`)
}

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; color-scheme: light; }
  iframe { border: 1px solid #ccc; height: 780px; margin-right: 16px; width: 390px; }
  pre { display: inline-block; max-width: 480px; vertical-align: top; white-space: pre-wrap; }
</style>`

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

await main()

import type { EmailDefinition } from './emails/define-email.ts'
import type { EmailSite } from './layout/email-site.ts'
import { renderText } from './layout/plain-text.ts'

const reasons = {
  account: 'it’s about your account at',
  billing: 'it’s about your plan at',
  codes: 'someone entered your address at',
}

/** Renders an email from the stored data: subject, HTML and plain text, which say the same. */
export async function renderEmail(definition: EmailDefinition, data: unknown, site: EmailSite) {
  const content = definition.content(data, site)
  const page = {
    ...content,
    body: content.body.filter((block) => block.kind !== 'facts' || block.facts.length > 0),
    appName: site.appName,
    language: site.language,
    contact: site.contact,
    reason: `You’re receiving this email because ${reasons[definition.group]} ${site.appName}.`,
  }
  // NOTE: React takes 50 MB and half a second to load, so only processes that send emails load it.
  const { renderHtml } = await import('./layout/html.ts')
  return { subject: content.subject, html: await renderHtml(page), text: renderText(page) }
}

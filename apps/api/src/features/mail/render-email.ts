import { type EmailDefinition, text } from './layout/define-email.ts'
import type { EmailSite } from './layout/email-site.ts'
import { renderHtml } from './layout/html.ts'
import { renderText } from './layout/plain-text.ts'

const reasons = {
  account: 'it’s about your account at',
  billing: 'it’s about your plan at',
  codes: 'someone entered your address at',
  operator: 'you operate',
  desk: 'someone entered your address at the desk of',
}

/** Renders an email from the stored data: subject, HTML and plain text, which say the same. */
export function renderEmail(
  definition: EmailDefinition,
  data: unknown,
  site: EmailSite,
  { heldSince = null }: { heldSince?: Date | null } = {},
) {
  const content = definition.content(data, site)
  const page = {
    ...content,
    body: [...heldNote(heldSince, site), ...content.body].filter(
      (block) => block.kind !== 'facts' || block.facts.length > 0,
    ),
    appName: site.appName,
    language: site.language,
    contact: site.contact,
    reason: `You’re receiving this email because ${reasons[definition.group]} ${site.appName}.`,
  }
  return { subject: content.subject, html: renderHtml(page), text: renderText(page) }
}

function heldNote(heldSince: Date | null, { formatDay }: EmailSite) {
  if (heldSince === null) return []
  return [text(`This email is from ${formatDay(heldSince)}. It waited until you confirmed your address.`)]
}

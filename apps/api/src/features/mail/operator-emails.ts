import { type Mailer, MailRefusedError } from '#integrations/mail/mailer.ts'
import { createEmailSite } from './layout/email-site.ts'
import { getEmailDefinition, type OperatorEmail } from './registry.ts'
import { renderEmail } from './render-email.ts'

type Deps = {
  /** Not stopped by the guard, whose hold it must report (ADR 98). */
  operatorMailer: Pick<Mailer, 'send'>
  siteName: string
  siteUrl: URL
  contact: string
  timeZone: string
  language: string
}

const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Sends emails to the operator at once, past the outbox. */
export function createOperatorEmails(deps: Deps) {
  return {
    /** Sends an email. Returns false if the server refuses it for good; throws if a retry may succeed. */
    async send(to: string, { kind, ...data }: OperatorEmail, messageId: string): Promise<boolean> {
      const site = createEmailSite({ ...deps, appName: deps.siteName })
      const rendered = renderEmail(getEmailDefinition(kind), data, site)
      try {
        await deps.operatorMailer.send({ to, ...rendered, messageId, headers })
        return true
      } catch (error) {
        if (error instanceof MailRefusedError) return false
        throw error
      }
    },
  }
}

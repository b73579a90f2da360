import { startInbox, type TestInbox } from '../mail/inbox.ts'
import { type CodeFlows, createCodeFlows } from '../sign-in/code-flows.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'

export type MailSite = { inbox: TestInbox; site: TestApp; flows: CodeFlows; close(): Promise<void> }

/** Starts the API on a database of its own, with an inbox that receives its emails. */
export async function startMailSite(options: Partial<TestAppOptions> = {}): Promise<MailSite> {
  const inbox = await startInbox()
  const site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    ...options,
    env: { SMTP_URL: inbox.smtpUrl, ...options.env },
  })
  return {
    inbox,
    site,
    flows: createCodeFlows(site, inbox),
    async close() {
      await site.close()
      await inbox.stop()
    },
  }
}

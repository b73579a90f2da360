import { type CodeFlows, createCodeFlows } from './code-flows.ts'
import { startInbox, type TestInbox } from './inbox.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
import { createTestDatabase } from './test-database.ts'

/** The whole API with a mail server whose inbox can be read. */
export type MailSite = { inbox: TestInbox; site: TestApp; flows: CodeFlows; close(): Promise<void> }

/** Starts the API on a database of its own, and the inbox that its mails go to. */
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

import { startInbox } from '../mail/inbox.ts'
import { startTestApp, type TestAppOptions } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'

/** Starts the API on a database of its own, with an inbox that receives its emails. */
export async function startMailSite(options: Partial<TestAppOptions> = {}) {
  const inbox = await startInbox()
  const site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    ...options,
    env: { SMTP_URL: inbox.smtpUrl, ...options.env },
  })
  return {
    inbox,
    site,
    expectNoErrors: site.expectNoErrors,
    startFile: inbox.clear,
    async close(): Promise<void> {
      await site.close()
      await inbox.stop()
    },
  }
}

import { createInbox } from './inbox.ts'
import { buildInboxApp } from './inbox-app.ts'
import { startSmtpInbox } from './smtp/smtp-inbox.ts'

type Options = { host: string; port: number; smtpPort: number; now: () => Date }

/** Where the running emulators are found. */
export type Emulators = {
  /** The inbox page. */
  inboxUrl: string
  /** What `SMTP_URL` takes. */
  smtpUrl: string
  /** Lets answers under way finish, then closes both servers. */
  stop(): Promise<void>
}

/** Starts the stand-ins for outside services. A port of 0 takes a free one. Rejects when one is taken. */
export async function startEmulators({ host, port, smtpPort, now }: Options): Promise<Emulators> {
  const inbox = createInbox({ now })
  const app = buildInboxApp(inbox)
  const url = await app.listen({ host, port })
  try {
    const smtp = await startSmtpInbox({ inbox, host, port: smtpPort })
    return {
      inboxUrl: `${url}/inbox`,
      smtpUrl: smtp.url,
      async stop() {
        await Promise.all([app.close(), smtp.stop()])
      },
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

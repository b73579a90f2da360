import { addGithubRoutes } from './identity/github-routes.ts'
import { addIdentityRoutes } from './identity/identity-routes.ts'
import { createInbox } from './inbox.ts'
import { buildInboxApp } from './inbox-app.ts'
import { startSmtpInbox } from './smtp/smtp-inbox.ts'
import { addStripe, type StripeOptions } from './stripe/stripe.ts'

type Options = {
  host: string
  port: number
  smtpPort: number
  now: () => Date
  /** Origins, besides this machine's, to whose callbacks the sign-in stand-ins send people back. */
  redirectOrigins?: readonly string[]
  /** Where the stand-in for Stripe keeps its state and sends its events. */
  stripe?: Pick<StripeOptions, 'dataDir' | 'webhookUrl' | 'webhookSecret' | 'publicUrl' | 'onFailure'>
}

/** Where the running emulators are found. */
export type Emulators = {
  /** The inbox page. */
  inboxUrl: string
  /** What `SMTP_URL` takes. */
  smtpUrl: string
  /** The issuer of the local OpenID Connect provider. */
  identityUrl: string
  /** Where the stand-in for GitHub has its site and its API. */
  githubUrl: string
  /** What `STRIPE_API_URL` takes. */
  stripeUrl: string
  /** Lets answers under way finish, then closes both servers. */
  stop(): Promise<void>
}

/** Starts the stand-ins for outside services. A port of 0 takes a free one. Rejects when one is taken. */
export async function startEmulators(options: Options): Promise<Emulators> {
  const { host, port, smtpPort, now, redirectOrigins = [], stripe = {} } = options
  const inbox = createInbox({ now })
  const app = buildInboxApp(inbox)
  addIdentityRoutes(app, { redirectOrigins })
  addGithubRoutes(app, { redirectOrigins })
  addStripe(app, { ...stripe, now })
  const url = await app.listen({ host, port })
  try {
    const smtp = await startSmtpInbox({ inbox, host, port: smtpPort })
    return {
      inboxUrl: `${url}/inbox`,
      smtpUrl: smtp.url,
      identityUrl: `${url}/identity`,
      githubUrl: `${url}/github`,
      stripeUrl: url,
      async stop() {
        await Promise.all([app.close(), smtp.stop()])
      },
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

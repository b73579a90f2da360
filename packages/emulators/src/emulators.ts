import { addGithubRoutes } from './identity/github-routes.ts'
import { addIdentityRoutes } from './identity/identity-routes.ts'
import { createInbox } from './inbox/inbox.ts'
import { buildInboxApp } from './inbox/inbox-app.ts'
import { addPush } from './push/push.ts'
import { addSmtpFaultRoutes, createSmtpFaults } from './smtp/smtp-faults.ts'
import { startSmtpInbox } from './smtp/smtp-inbox.ts'
import { addStripe, type StripeOptions } from './stripe/stripe.ts'
import { addTwilio, type TwilioOptions } from './twilio/twilio.ts'

type Options = {
  host: string
  port: number
  smtpPort: number
  /** The SMTP server for return addresses, unless the faults name another one. Without either, nothing bounces. */
  bounceUrl?: string | undefined
  now: () => Date
  /** Origins, besides this machine's, that the sign-in emulators may redirect to. */
  redirectOrigins?: readonly string[]
  /** How many messages the inbox keeps; 1,000 by default. */
  inboxLimit?: number
  /** Where the Stripe emulator keeps its state and sends its events. */
  stripe?: Pick<StripeOptions, 'dataDir' | 'webhookUrl' | 'webhookSecret' | 'publicUrl' | 'onFailure'>
  /** Where the Twilio emulator sends its callbacks. */
  twilio?: Pick<TwilioOptions, 'accounts' | 'incomingUrl' | 'callbackOrigin'>
}

export type Emulators = {
  inboxUrl: string
  /** The value for `SMTP_URL`. */
  smtpUrl: string
  /** The issuer of the OpenID Connect provider. */
  identityUrl: string
  /** The base of GitHub's site and API. */
  githubUrl: string
  /** The value for `STRIPE_API_URL`. */
  stripeUrl: string
  /** The value for `TWILIO_API_URL`. */
  twilioUrl: string
  /** Where browsers of tests get push subscriptions, and what they received is listed. */
  pushUrl: string
  /** Finishes the responses in flight, then closes both servers. */
  stop(): Promise<void>
}

/** Starts all emulators. Port 0 takes a free one. Rejects when a port is taken. */
export async function startEmulators(options: Options): Promise<Emulators> {
  const { host, port, smtpPort, now, bounceUrl, redirectOrigins = [], stripe, twilio, inboxLimit } = options
  const inbox = createInbox({ now, ...(inboxLimit !== undefined && { limit: inboxLimit }) })
  const faults = createSmtpFaults()
  const app = buildInboxApp(inbox)
  addSmtpFaultRoutes(app, faults)
  addIdentityRoutes(app, { redirectOrigins })
  addGithubRoutes(app, { redirectOrigins })
  addStripe(app, { ...stripe, now })
  addTwilio(app, { ...twilio, inbox, now })
  addPush(app, { now })
  const url = await app.listen({ host, port })
  try {
    const smtp = await startSmtpInbox({ inbox, faults, host, port: smtpPort, bounceUrl })
    return {
      inboxUrl: `${url}/inbox`,
      smtpUrl: smtp.url,
      identityUrl: `${url}/identity`,
      githubUrl: `${url}/github`,
      stripeUrl: url,
      twilioUrl: url,
      pushUrl: `${url}/push`,
      async stop() {
        await Promise.all([app.close(), smtp.stop()])
      },
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

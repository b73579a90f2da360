import { startEmulators } from '@tidings/emulators/emulators'
import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import { z } from 'zod'

const textSchema = z.object({ kind: z.enum(['email', 'sms']), to: z.array(z.string()), text: z.string() })

// Later than what the tests send, so that a lookup from a time on finds it.
const laterThanTests = () => new Date('2026-11-20T19:00:00.000Z')

type Options = { incomingUrl?: string; callbackOrigin?: string; now?: () => Date }

/** Starts the Twilio emulator and its phones. The options say where callbacks go. */
export async function startPhones({ now = laterThanTests, ...twilio }: Options = {}) {
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now, twilio })
  return {
    /** The settings of a site that sends its texts here. */
    env: {
      TWILIO_ACCOUNT_SID: builtInAccount.sid,
      TWILIO_AUTH_TOKEN: builtInAccount.authToken,
      TWILIO_FROM: builtInAccount.number,
      TWILIO_API_URL: emulators.twilioUrl,
    },
    /** Returns the texts to a number, newest first. */
    async textsTo(number: string): Promise<string[]> {
      const reply = await fetch(`${emulators.inboxUrl}/messages?to=${encodeURIComponent(number)}`)
      return z
        .array(textSchema)
        .parse(await reply.json())
        .filter(({ kind }) => kind === 'sms')
        .map(({ text }) => text)
    },
    /** Returns what a phone shows: the texts of the site, those of Twilio and the replies. */
    async conversation(number: string): Promise<string> {
      const reply = await fetch(`${emulators.inboxUrl}/phone/${encodeURIComponent(number)}`)
      return await reply.text()
    },
    /** Replies from a phone. */
    async reply(number: string, body: string): Promise<void> {
      await fetch(`${emulators.inboxUrl}/phone/${encodeURIComponent(number)}`, {
        method: 'POST',
        body: new URLSearchParams({ body }),
        redirect: 'manual',
      })
    },
    /** Has Twilio misbehave until the next call. */
    async setFaults(faults: object): Promise<void> {
      const reply = await fetch(`${emulators.twilioUrl}/twilio/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      })
      if (!reply.ok) throw new Error(await reply.text())
    },
    stop: () => emulators.stop(),
  }
}

import { startEmulators } from '@tidings/emulators/emulators'
import { vi } from 'vitest'
import { z } from 'zod'
import { waitOptions } from './wait-options.ts'

const mailSchema = z.object({
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()),
})

/** A mail as it arrived. */
export type ReceivedMail = z.infer<typeof mailSchema>

export type InboxReader = ReturnType<typeof readInbox>
export type TestInbox = Awaited<ReturnType<typeof startInbox>>

/** Starts the inbox of the emulators: a mail server that takes everything, and shows it over HTTP. */
export async function startInbox({ smtpPort = 0 } = {}) {
  const now = () => new Date('2026-11-20T17:00:00.000Z')
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort, now })
  return {
    /** What SMTP_URL takes. */
    smtpUrl: emulators.smtpUrl,
    ...readInbox(emulators.inboxUrl),
    stop: () => emulators.stop(),
  }
}

/** Reads the emails at the inbox of this URL. */
export function readInbox(inboxUrl: string) {
  /** What has come for an address, newest first; those alone that have these words in them. */
  async function mailsTo(address: string, words = ''): Promise<ReceivedMail[]> {
    const mails = await mailsAt(inboxUrl, address)
    return mails.filter(({ text }) => text.includes(words))
  }

  return {
    mailsTo,
    /** Waits until so many such mails have come to the address, and answers the newest. */
    async mailTo(address: string, words = '', count = 1): Promise<ReceivedMail> {
      return await vi.waitFor(async () => {
        const mails = await mailsTo(address, words)
        const [newest] = mails
        if (newest === undefined || mails.length < count) {
          throw new Error(`${mails.length} of ${count} mails have come`)
        }
        return newest
      }, waitOptions)
    },
  }
}

/** What has come for an address at the inbox of this URL, newest first. */
export async function mailsAt(inboxUrl: string, address: string): Promise<ReceivedMail[]> {
  const response = await fetch(`${inboxUrl}/messages?to=${encodeURIComponent(address)}`)
  return z.array(mailSchema).parse(await response.json())
}

/** The code that stands on a line of its own in a mail's text. */
export function codeIn(mail: ReceivedMail): string {
  const code = /^\d{6}$/m.exec(mail.text)?.[0]
  if (code === undefined) throw new Error(`There is no code in: ${mail.text}`)
  return code
}

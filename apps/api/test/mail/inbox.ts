import { startEmulators } from '@tidings/emulators/emulators'
import { vi } from 'vitest'
import { z } from 'zod'
import { waitOptions } from '../wait-options.ts'

const mailSchema = z.object({
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()),
  /** `content` is Base64. */
  attachments: z.array(z.object({ content: z.string() })),
})

/** An email as it arrived. */
export type ReceivedMail = z.infer<typeof mailSchema>

export type InboxReader = ReturnType<typeof readInbox>
export type TestInbox = Awaited<ReturnType<typeof startInbox>>

/** Starts the emulators' mail server, which accepts every email and lists them over HTTP. */
export async function startInbox({ smtpPort = 0 } = {}) {
  const now = () => new Date('2026-11-20T17:00:00.000Z')
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort, now })
  return {
    /** A value for SMTP_URL. */
    smtpUrl: emulators.smtpUrl,
    ...readInbox(emulators.inboxUrl),
    /** Deletes every email. */
    async clear(): Promise<void> {
      await fetch(`${emulators.inboxUrl}/messages`, { method: 'DELETE' })
    },
    stop: () => emulators.stop(),
  }
}

/** Creates a reader of the emails in the inbox at this URL. */
export function readInbox(inboxUrl: string) {
  /** Returns the emails to an address, newest first, whose text contains the words. */
  async function mailsTo(address: string, words = ''): Promise<ReceivedMail[]> {
    const mails = await mailsAt(inboxUrl, address)
    return mails.filter(({ text }) => text.includes(words))
  }

  return {
    mailsTo,
    /** Waits until `count` such emails have arrived, and returns the newest. */
    async mailTo(address: string, words = '', count = 1): Promise<ReceivedMail> {
      return await vi.waitFor(async () => {
        const mails = await mailsTo(address, words)
        const [newest] = mails
        if (newest === undefined || mails.length < count) {
          throw new Error(`${mails.length} of ${count} emails have arrived`)
        }
        return newest
      }, waitOptions)
    },
  }
}

/** Returns the emails to an address in the inbox at this URL, newest first. */
export async function mailsAt(inboxUrl: string, address: string): Promise<ReceivedMail[]> {
  const response = await fetch(`${inboxUrl}/messages?to=${encodeURIComponent(address)}`)
  return z.array(mailSchema).parse(await response.json())
}

/** Returns the one-time code in an email. */
export function codeIn(mail: ReceivedMail): string {
  const code = /^\d{6}$/m.exec(mail.text)?.[0]
  if (code === undefined) throw new Error(`There is no code in: ${mail.text}`)
  return code
}

import { domainToASCII } from 'node:url'
import type { Transporter } from 'nodemailer'
import type { Clock } from '#platform/clock.ts'
import { type Mailer, MailRefusedError, MailUnavailableError } from './mailer.ts'

type Options = {
  /** `smtp://` or `smtps://`, with user and password when the server wants them. */
  url: string
  /** Who the mails are from, such as `Tidings <hello@example.com>`. */
  from: string
  clock: Clock
}

/**
 * Hands mails to an SMTP server over a few connections that are kept open. Nothing is loaded or connected before the
 * first mail. Throws at once when `from` names no address.
 */
export function createSmtpMailer({ url, from, clock }: Options): Mailer {
  const host = hostOf(from)
  let opening: Promise<Transporter> | null = null
  let isClosed = false

  return {
    async send(mail, { messageId }) {
      if (!isOneAddress(mail.to)) throw new MailRefusedError('the address is malformed')
      if (!/^[\w.-]+$/.test(messageId))
        throw new Error('A message id has letters, digits, dots and dashes only')
      if (isClosed) throw new MailUnavailableError('the mailer is closed')
      opening ??= openTransport(url)
      // NOTE: templates bring 50 MB and half a second with them, which processes that send nothing do not pay.
      const [transport, { renderMail }] = await Promise.all([opening, import('./templates/render-mail.ts')])
      const { subject, html, text } = await renderMail(mail)
      await handOver(
        transport.sendMail({
          from,
          to: { name: '', address: mail.to },
          subject,
          html,
          text,
          date: clock.now(),
          messageId: `<${messageId}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          xMailer: false,
        }),
      )
    },

    close() {
      isClosed = true
      // One that never opened has told so already.
      opening?.then(
        (transport) => transport.close(),
        () => {},
      )
    },
  }
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Waits for the server. What the library says of a failure quotes the address, so only its numbers are kept. */
async function handOver(sending: Promise<unknown>): Promise<void> {
  try {
    await sending
  } catch (error) {
    const { code, command, status } = describeFailure(error)
    const isAboutThisMail = command === 'RCPT TO' || command === 'DATA'
    if (isAboutThisMail && status >= 500) throw new MailRefusedError(`${status} at ${command}`)
    if (code === 'EENVELOPE' && status === 0) throw new MailRefusedError('the address is malformed')
    throw new MailUnavailableError(status === 0 ? code : `${status} at ${command}`)
  }
}

function describeFailure(error: unknown): { code: string; command: string; status: number } {
  const field = (name: string) =>
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined
  const [code, command, status] = [field('code'), field('command'), field('responseCode')]
  return {
    code: typeof code === 'string' ? code : 'unknown failure',
    command: typeof command === 'string' ? command : '',
    status: typeof status === 'number' ? status : 0,
  }
}

/** One plain address: nothing in it can end a header, add a name or add a second recipient. */
function isOneAddress(text: string): boolean {
  return /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u.test(text)
}

function hostOf(from: string): string {
  const host = domainToASCII(/@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? '')
  if (host !== '') return host
  throw new Error('The sender of mails must be an address, such as Tidings <hello@example.com>')
}

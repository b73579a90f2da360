import { domainToASCII } from 'node:url'
import type { Transporter } from 'nodemailer'
import type { Clock } from '#platform/clock.ts'
import { type Mailer, MailRefusedError, MailUnavailableError } from './mailer.ts'

type Options = {
  /** `smtp://` or `smtps://`, with user and password if the server asks for them. */
  url: string
  /** The sender, such as `Tidings <hello@example.com>`. */
  from: string
  clock: Clock
}

/** Sends emails over pooled SMTP connections. Throws at once if `from` contains no address. */
export function createSmtpMailer({ url, from, clock }: Options): Mailer {
  const host = hostOf(from)
  let opening: Promise<Transporter> | null = null
  let isClosed = false

  return {
    async send({ messageId, to, ...message }) {
      if (!isOneAddress(to)) throw new MailRefusedError('the address is malformed')
      if (!/^[\w.-]+$/.test(messageId)) {
        throw new Error('A message id consists of letters, digits, dots and dashes')
      }
      if (isClosed) throw new MailUnavailableError('ECLOSED', 'the mailer is closed')
      opening ??= openTransport(url)
      const transport = await opening
      try {
        await transport.sendMail({
          ...message,
          from,
          to: { name: '', address: to },
          date: clock.now(),
          messageId: `<${messageId}@${host}>`,
          xMailer: false,
        })
      } catch (error) {
        throw mailErrorOf(error)
      }
    },

    close() {
      isClosed = true
      // The email that failed to open the transport has reported the error.
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

/** Converts an error of the library. Texts of the server may quote the address, so they are left out. */
function mailErrorOf(error: unknown): Error {
  const field = (name: string) =>
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined
  const [code, command] = [String(field('code') ?? 'unknown'), String(field('command') ?? '')]
  const status = Number(field('responseCode') ?? 0)
  const isAboutThisEmail = command === 'RCPT TO' || command === 'DATA'
  if (isAboutThisEmail && status >= 500) return new MailRefusedError(`${status} at ${command}`)
  if (code === 'EENVELOPE' && status === 0) return new MailRefusedError('the address is malformed')
  if (status !== 0) return new MailUnavailableError(code, `${status} at ${command}`)
  // The library replaces the code of a system or TLS error, such as DEPTH_ZERO_SELF_SIGNED_CERT, by its own ESOCKET.
  const systemCode = String(field('originalCode') ?? code)
  const isConnectionError = command === 'CONN' && field('response') === undefined
  return new MailUnavailableError(systemCode, isConnectionError ? String(field('message')) : systemCode)
}

/** Whether the text is one plain address, which can neither end a header nor add a name or a recipient. */
function isOneAddress(text: string): boolean {
  return /^[^\s\p{Cc}<>,;:"()[\]\\@]+@[^\s\p{Cc}<>,;:"()[\]\\@]+$/u.test(text)
}

function hostOf(from: string): string {
  const host = domainToASCII(/@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? '')
  if (host !== '') return host
  throw new Error('The sender of emails must be an address, such as Tidings <hello@example.com>')
}

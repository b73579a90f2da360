import type { Transporter } from 'nodemailer'
import type { Clock } from '#platform/clock.ts'
import { type Mailer, MailRefusedError, MailUnavailableError } from './mailer.ts'
import { isMessageId, isOneAddress, senderOf, smtpErrorOf, transportOptions } from './smtp.ts'

type Options = {
  /** `smtp://` or `smtps://`, with user and password if the server asks for them. */
  url: string
  /** The sender, such as `Tidings <hello@example.com>`. */
  from: string
  clock: Clock
}

/** Sends emails over pooled SMTP connections. Throws at once if `from` contains no address. */
export function createSmtpMailer({ url, from: sender, clock }: Options): Mailer {
  const { from, host } = senderOf(sender)
  let opening: Promise<Transporter> | null = null
  let isClosed = false

  return {
    async send({ messageId, to, ...message }) {
      if (!isOneAddress(to)) throw new MailRefusedError('the address is malformed')
      if (!isMessageId(messageId)) {
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
  return createTransport({ url, ...transportOptions })
}

/** Converts an error of the library. Texts of the server may quote the address, so they are left out. */
function mailErrorOf(error: unknown): Error {
  const { code, command, status, response, message } = smtpErrorOf(error)
  const isAboutThisEmail = command === 'RCPT TO' || command === 'DATA'
  if (isAboutThisEmail && status >= 500) return new MailRefusedError(`${status} at ${command}`)
  if (code === 'EENVELOPE' && status === 0) return new MailRefusedError('the address is malformed')
  if (status !== 0) return new MailUnavailableError(code, `${status} at ${command}`)
  const isConnectionError = command === 'CONN' && response === ''
  return new MailUnavailableError(code, isConnectionError ? message : code)
}

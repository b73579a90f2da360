import type { Clock } from '#platform/clock.ts'
import { type Mailer, MailRefusedError, MailUnavailableError } from './mailer.ts'
import {
  createSmtpTransport,
  type DkimKey,
  isMessageId,
  isOneAddress,
  senderOf,
  smtpErrorOf,
} from './smtp-transport.ts'

type Options = {
  /** `smtp://` or `smtps://`, with user and password if the server asks for them. */
  url: string
  /** The sender, such as `Tidings <hello@example.com>`. */
  from: string
  clock: Clock
  dkim: DkimKey | null
}

// One that waits for a slow reply keeps its connection, and others don't wait for it.
const maxConnections = 10

/** Sends emails over pooled SMTP connections. Throws at once if `from` contains no address. */
export function createSmtpMailer({ url, from: sender, clock, dkim }: Options): Mailer {
  const { from, host } = senderOf(sender)
  const transport = createSmtpTransport({ url, pool: { maxConnections }, dkim })

  return {
    async send({ messageId, to, ...message }) {
      if (!isOneAddress(to)) throw new MailRefusedError('the address is malformed')
      if (!isMessageId(messageId)) {
        throw new Error('A message id consists of letters, digits, dots and dashes')
      }
      const failure = await transport.send({
        ...message,
        from,
        to: { name: '', address: to },
        date: clock.now(),
        messageId: `<${messageId}@${host}>`,
        xMailer: false,
      })
      if (failure !== null) throw mailErrorOf(failure.error)
    },

    finish: transport.finish,
    close: transport.close,
  }
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

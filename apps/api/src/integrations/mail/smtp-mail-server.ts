import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from './mail-server.ts'
import { MailUnavailableError } from './mailer.ts'
import { smtpErrorOf, transportOptions } from './smtp-transport.ts'

const { connectionTimeout, greetingTimeout, dnsTimeout } = transportOptions
const socketTimeout = 20_000

/** Asks the server at an `smtp://` or `smtps://` URL for its extensions. */
export function createSmtpMailServer(url: string): MailServer {
  /** Connects, lets `use` talk to the server, and quits. */
  async function connected<T>(use: (connection: SMTPConnection) => Promise<T>): Promise<T> {
    const [{ default: SmtpConnection }, { parseConnectionUrl }] = await Promise.all([
      import('nodemailer/lib/smtp-connection'),
      import('nodemailer/lib/shared'),
    ])
    const timeouts = { connectionTimeout, greetingTimeout, dnsTimeout, socketTimeout }
    const connection = new SmtpConnection({ ...parseConnectionUrl(url), ...timeouts })
    const { promise: greeted, resolve, reject } = Promise.withResolvers<void>()
    // Stays, because a lost connection after the last reply is no error.
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('Connection closed')))
    connection.connect((error) => (error ? reject(error) : resolve()))
    try {
      await greeted
      return await use(connection)
    } catch (error) {
      const { code } = smtpErrorOf(error)
      throw new MailUnavailableError(code, code)
    } finally {
      connection.quit()
    }
  }

  return {
    name: new URL(url).host,
    // The last response is that to EHLO, over TLS where the server offers it.
    offersSmtpUtf8: () =>
      connected(async (connection) => /^250[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse))),
    logIn: () =>
      connected(async (connection) => {
        const { username, password } = new URL(url)
        if (username !== '') {
          const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
          await new Promise<void>((resolve, reject) => {
            connection.login(auth, (error) => (error ? reject(error) : resolve()))
          })
        }
        return { isEncrypted: connection.secure === true }
      }),
  }
}

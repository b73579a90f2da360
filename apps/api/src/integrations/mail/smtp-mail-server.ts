import type { MailServer } from './mail-server.ts'
import { MailUnavailableError } from './mailer.ts'
import { smtpErrorOf, transportOptions } from './smtp-transport.ts'

const { connectionTimeout, greetingTimeout, dnsTimeout } = transportOptions
const socketTimeout = 20_000

/** Asks the server at an `smtp://` or `smtps://` URL for its extensions. */
export function createSmtpMailServer(url: string): MailServer {
  return {
    name: new URL(url).host,
    async offersSmtpUtf8() {
      const [{ default: SmtpConnection }, { parseConnectionUrl }] = await Promise.all([
        import('nodemailer/lib/smtp-connection'),
        import('nodemailer/lib/shared'),
      ])
      const timeouts = { connectionTimeout, greetingTimeout, dnsTimeout, socketTimeout }
      const connection = new SmtpConnection({ ...parseConnectionUrl(url), ...timeouts })
      const { promise: greeted, resolve, reject } = Promise.withResolvers<string>()
      // Stays, because a lost connection after the last reply is no error.
      connection.on('error', reject)
      connection.on('end', () => reject(new Error('Connection closed')))
      // The last response is that to EHLO, over TLS where the server offers it.
      connection.connect((error) => (error ? reject(error) : resolve(String(connection.lastServerResponse))))
      try {
        return /^250[ -]SMTPUTF8\b/im.test(await greeted)
      } catch (error) {
        const { code } = smtpErrorOf(error)
        throw new MailUnavailableError(code, code)
      } finally {
        connection.quit()
      }
    },
  }
}

import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'

/** Starts a mail server that accepts every email, with or without SMTPUTF8. Port 0 takes a free one. */
export async function startSmtpServer({ hasSmtpUtf8 = true, port = 0 } = {}) {
  const recipients: string[] = []
  const sources: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    hideSMTPUTF8: !hasSmtpUtf8,
    onRcptTo({ address }, _session, done) {
      recipients.push(address)
      done()
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        sources.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = z.object({ port: z.number() }).parse(server.server.address())
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    /** The envelopes' recipients, and the messages. */
    recipients,
    sources,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

import { once } from 'node:events'
import type { SMTPServer, SMTPServerDataStream } from 'smtp-server'
import { z } from 'zod'
import type { Logger } from '#platform/logger.ts'
import type { BounceHandler, BounceReceiver } from './bounce-receiver.ts'
import { parseDeliveryStatus } from './delivery-status.ts'

type Options = {
  /** 0 for none. */
  port: number
  /** Takes a free port instead of none for 0. */
  takesFreePort?: boolean
  host?: string
  handler: BounceHandler
  logger: Logger
}

const maxBytes = 1_000_000
const portOf = z.object({ port: z.number() })

class SmtpError extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** Receives delivery status notifications for our return addresses, and nothing else. */
export function createSmtpBounceReceiver(options: Options): BounceReceiver {
  const { port, takesFreePort = false, host = '0.0.0.0', handler, logger } = options
  let server: SMTPServer | null = null

  async function receive(stream: SMTPServerDataStream, recipients: readonly string[]): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) {
      // SMTP requires reading an oversized message to its end.
      if (!stream.sizeExceeded) chunks.push(chunk)
    }
    if (stream.sizeExceeded) throw new SmtpError(552, 'The message is too large')
    const report = await parseDeliveryStatus(Buffer.concat(chunks))
    if (report === null) return
    try {
      for (const recipient of recipients) await handler.receive(recipient, report)
    } catch (error) {
      logger.warn({ err: error }, 'recording a bounce failed')
      // The other server tries again.
      throw new SmtpError(451, 'Try again later')
    }
  }

  return {
    async start() {
      if (port === 0 && !takesFreePort) return null
      const { SMTPServer } = await import('smtp-server')
      server = new SMTPServer({
        banner: 'bounces only',
        disabledCommands: ['AUTH', 'STARTTLS'],
        disableReverseLookup: true,
        size: maxBytes,
        maxClients: 50,
        socketTimeout: 30_000,
        onRcptTo: ({ address }, _session, done) =>
          handler.isReturnAddress(address) ? done() : done(new SmtpError(550, '5.1.1 No such address')),
        onData(stream, { envelope }, done) {
          receive(
            stream,
            envelope.rcptTo.map(({ address }) => address),
          ).then(() => done(), done)
        },
      })
      server.listen(port, host)
      try {
        await once(server.server, 'listening')
      } catch (error) {
        logger.warn({ err: error, port }, 'bounces are not received here')
        server = null
        return null
      }
      // A client that disconnects early must not stop the process.
      server.on('error', (error) => logger.debug({ err: error }, 'bounce connection failed'))
      return portOf.parse(server.server.address()).port
    },

    async close() {
      const running = server
      server = null
      if (running !== null) await new Promise<void>((resolve) => running.close(() => resolve()))
    },
  }
}

import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import type { SMTPServer, SMTPServerDataStream } from 'smtp-server'
import { z } from 'zod'
import { type Clock, systemClock } from '#platform/clock.ts'
import type { Logger } from '#platform/logger.ts'
import { createBlockList } from '#platform/network/block-list.ts'
import type { BounceHandler, BounceReceiver } from './bounce-receiver.ts'
import {
  type ConnectionLimits,
  createConnectionGuard,
  defaultConnectionLimits,
  type LimitedConnection,
} from './reports/connection-guard.ts'
import { maxReportBytes } from './reports/read-report.ts'
import { createReportReader } from './reports/report-reader.ts'

type Options = {
  /** 0 for none. */
  port: number
  /** Takes a free port instead of none for 0. */
  takesFreePort?: boolean
  host?: string
  handler: BounceHandler
  logger: Logger
  clock?: Clock
  /** The program of the thread that reads reports. */
  readerFile: string
  /** Returns the network of an address, whose limits it shares. */
  networkOf(address: string): string
  /** Networks of our own mail servers, which pass on what others send. */
  relays?: readonly string[]
  limits?: ConnectionLimits
}

const maxBytes = 1_000_000
const idleMs = 30_000
const recordingMs = 3_000
const portOf = z.object({ port: z.number() })

type Connection = LimitedConnection & { isInMessage: boolean }

class SmtpError extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** Receives delivery status notifications and complaints for our return addresses, and nothing else. */
export function createSmtpBounceReceiver(options: Options): BounceReceiver {
  const { port, takesFreePort = false, host = '0.0.0.0', handler, logger } = options
  const { clock = systemClock, limits = defaultConnectionLimits, networkOf, relays = [] } = options
  const reader = createReportReader({ file: options.readerFile, logger })
  const guard = createConnectionGuard({ limits, clock, networkOf, isRelay: createRelayList(relays) })
  /** By address and port of the other side. */
  const connections = new Map<string, Connection>()
  let server: Server | null = null

  async function record(source: Buffer, address: string): Promise<void> {
    try {
      const report = await reader.read(source)
      if (report !== null) await handler.receive(address, report)
    } catch (error) {
      logger.warn({ err: error }, 'bounce recording failed')
      // The other server tries again.
      throw new SmtpError(451, '4.3.0 Try again later')
    }
  }

  async function createSmtp(): Promise<SMTPServer> {
    const { SMTPServer } = await import('smtp-server')
    const connectionOf = ({ remoteAddress, remotePort }: { remoteAddress: string; remotePort: number }) =>
      connections.get(`${remoteAddress} ${remotePort}`)
    const smtp = new SMTPServer({
      banner: 'bounces only',
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      size: maxBytes,
      socketTimeout: idleMs,
      onConnect(session, done) {
        const connection = connectionOf(session)
        if (connection !== undefined) countCommands(connection)
        done()
      },
      onRcptTo({ address }, session, done) {
        // A return address is one delivery's, so a report has one recipient.
        const refusal = session.envelope.rcptTo.length > 0 ? tooManyRecipients() : refusalOf(handler, address)
        if (refusal === null) return done()
        connectionOf(session)?.count('errors')
        done(refusal)
      },
      onData(stream, session, done) {
        const [recipient] = session.envelope.rcptTo
        const connection = connectionOf(session)
        if (connection !== undefined) connection.isInMessage = true
        readMessage(stream, connection)
          .then((source) => {
            const recording = record(source, recipient?.address ?? '')
            return connection?.whileRecording(recording) ?? recording
          })
          .finally(() => {
            if (connection !== undefined) connection.isInMessage = false
          })
          .then(() => done(), done)
      },
    })
    // A client that disconnects early must not stop the process.
    smtp.on('error', (error) => logger.debug({ err: error }, 'bounce connection failed'))
    return smtp
  }

  function accept(socket: Socket, smtp: SMTPServer): void {
    const connection = guard.admit(socket)
    if (connection === null) return
    const key = `${socket.remoteAddress} ${socket.remotePort}`
    const state = { ...connection, isInMessage: false }
    connections.set(key, state)
    socket.once('close', () => connections.delete(key))
    answerAfterEnd(socket)
    socket.once('end', () => state.isInMessage || socket.end())
    smtp.server.emit('connection', socket)
  }

  return {
    async start() {
      if (port === 0 && !takesFreePort) return null
      const smtp = await createSmtp()
      const listening = createServer({ allowHalfOpen: true }, (socket) => accept(socket, smtp))
      if (!(await listens(listening, { port, host, logger }))) return null
      listening.on('error', (error) => logger.warn({ err: error }, 'bounce receiver failed'))
      server = listening
      return portOf.parse(listening.address()).port
    },

    async close() {
      const running = server
      server = null
      if (running === null) return
      const closed = once(running, 'close')
      running.close()
      await guard.endAll(recordingMs)
      await closed
      await reader.close()
    },
  }
}

/** Starts to listen, and returns whether the port was free. */
async function listens(
  server: Server,
  { port, host, logger }: { port: number; host: string; logger: Logger },
) {
  server.listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    logger.warn({ err: error, port }, 'bounce port unavailable')
    return false
  }
}

/**
 * Exim ends its side with its last command, before it has the reply to its message. NOTE: the library replies only while
 * both sides are open.
 */
function answerAfterEnd(socket: Socket): void {
  const readyState = () => (socket.destroyed || socket.writableEnded ? 'closed' : 'open')
  Object.defineProperty(socket, 'readyState', { get: readyState })
}

/** Reads the beginning of a message; SMTP requires reading it to its end. */
async function readMessage(
  stream: SMTPServerDataStream,
  connection: Connection | undefined,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes < maxReportBytes) chunks.push(chunk)
    bytes += chunk.length
    if (bytes > 2 * maxBytes) connection?.end()
  }
  if (stream.sizeExceeded) throw new SmtpError(552, '5.3.4 The message is too large')
  return Buffer.concat(chunks)
}

/** Returns why reports to an address are refused; null if they aren't. */
function refusalOf(handler: BounceHandler, address: string): SmtpError | null {
  if (!handler.isReturnAddress(address)) return new SmtpError(550, '5.1.1 No such address')
  return handler.admit(address) ? null : new SmtpError(550, '5.7.1 Too many reports to this address')
}

function tooManyRecipients(): SmtpError {
  return new SmtpError(452, '4.5.3 One recipient for each report')
}

/** Counts lines, except for those of messages. */
function countCommands(connection: Connection): void {
  connection.socket.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
      if (connection.isInMessage || !connection.count('commands')) return
    }
  })
}

function createRelayList(relays: readonly string[]): (address: string) => boolean {
  const list = createBlockList(relays)
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

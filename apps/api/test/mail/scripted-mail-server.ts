import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { createServer as createTlsServer } from 'node:tls'
import { z } from 'zod'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'

export type ScriptedMailServer = {
  url: string
  /** Sends a line to every client. */
  say(line: string): void
  stop(): Promise<void>
}

/**
 * Starts a mail server that accepts every email, except where `replies` has another reply to a command (`RCPT TO`, `DATA`,
 * `end of data`, `greeting`). The reply `hang up` closes the connection, and `wait` is none; `heard` gets each command, and
 * `message` for each line of a message.
 */
export async function startScriptedMailServer(
  replies: Readonly<Record<string, string>>,
  port = 0,
  heard: (command: string) => void = () => {},
): Promise<ScriptedMailServer> {
  const server = createServer((socket) => {
    const reply = (line: string) => {
      if (line === 'hang up') socket.destroy()
      else if (line !== 'wait') socket.write(`${line}\r\n`)
    }
    let isInData = false
    reply(replies.greeting ?? '220 ready')
    createInterface(socket).on('line', (line) => {
      if (isInData && line !== '.') return heard('message')
      const command = isInData
        ? 'end of data'
        : (/^(MAIL FROM|RCPT TO|\w+)/i.exec(line)?.[0].toUpperCase() ?? '')
      heard(command)
      isInData = command === 'DATA' && replies.DATA === undefined
      reply(replies[command] ?? (isInData ? '354 go on' : '250 fine'))
    })
  })
  return await listen(server, 'smtp', port)
}

/** Starts a mail server that speaks TLS with a certificate that no client trusts. */
export async function startUntrustedMailServer(): Promise<ScriptedMailServer> {
  return await listen(createTlsServer(createSelfSignedCertificate()), 'smtps')
}

async function listen(
  server: ReturnType<typeof createServer>,
  scheme: 'smtp' | 'smtps',
  port = 0,
): Promise<ScriptedMailServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `${scheme}://127.0.0.1:${address.port}`,
    say(line) {
      for (const socket of sockets) socket.write(`${line}\r\n`)
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { z } from 'zod'

export type ScriptedMailServer = { url: string; stop(): Promise<void> }

/**
 * A mail server that answers a command (`RCPT TO`, `DATA`, `end of data`, `greeting` …) as it is told, and else as if
 * all were well. The answer `hang up` ends the connection.
 */
export async function startScriptedMailServer(
  answers: Readonly<Record<string, string>>,
  port = 0,
): Promise<ScriptedMailServer> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const say = (line: string) => (line === 'hang up' ? socket.destroy() : socket.write(`${line}\r\n`))
    let isInData = false
    say(answers.greeting ?? '220 ready')
    createInterface(socket).on('line', (line) => {
      if (isInData && line !== '.') return
      const command = isInData
        ? 'end of data'
        : (/^(MAIL FROM|RCPT TO|\w+)/i.exec(line)?.[0].toUpperCase() ?? '')
      isInData = command === 'DATA' && answers.DATA === undefined
      say(answers[command] ?? (isInData ? '354 go on' : '250 fine'))
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = z.object({ port: z.number() }).parse(server.address())
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

/** A bare SMTP server that counts messages and keeps the first one. */
import { SMTPServer } from 'smtp-server'
import { serveRequests } from '../programs/serve-requests.ts'

export type MailOrder = { do: 'listen' } | { do: 'count' } | { do: 'restart' }

export type MailCount = {
  messages: number
  /** From the first message to the last one. */
  seconds: number
  /** The first message; empty before there is one. */
  first: string
}

let messages = 0
let firstAt = 0
let lastAt = 0
let first: Buffer[] = []

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    const kept: Buffer[] = []
    const isFirst = messages === 0
    stream.on('data', (chunk: Buffer) => isFirst && kept.push(chunk))
    stream.on('end', () => {
      lastAt = performance.now()
      if (messages === 0) {
        firstAt = lastAt
        first = kept
      }
      messages += 1
      done()
    })
  },
})
// A client may disconnect early.
server.on('error', () => {})

function listen(): Promise<string> {
  return new Promise((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' ? `smtp://127.0.0.1:${address?.port}` : String(address))
    })
  })
}

serveRequests<MailOrder>(async (order) => {
  if (order.do === 'listen') return await listen()
  if (order.do === 'restart') messages = 0
  return {
    messages,
    seconds: (lastAt - firstAt) / 1_000,
    first: messages === 0 ? '' : Buffer.concat(first).toString(),
  } satisfies MailCount
})

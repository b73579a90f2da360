import { crc32 } from 'node:zlib'
import { z } from 'zod'

const header = z.object({
  /** The sender. */
  mark: z.uuid(),
  folder: z.uuid(),
  epoch: z.int(),
  /** Which table of outgoing messages. */
  ledger: z.string(),
  /** The content of a message, in words that survive a restore, such as an edition's key. */
  subject: z.string(),
})

/** The first line of a log's file. */
export type LogHeader = z.infer<typeof header>

/** A message, as it is handed over. */
export type HandedOver = {
  id: string
  /** The one whose message carries it; its own id for most. */
  message: string
  /** How often it was handed over, this time included. */
  attempts: number
  /** The member and the method. With the subject, it recognizes a message that was planned again under another id. */
  key: string
}

export type LogOutcome = 'accepted' | 'refused'

export type LogRecord = {
  counter: number
  at: Date
  handedOver: readonly HandedOver[]
  outcomes: readonly { id: string; outcome: LogOutcome }[]
}

const record = z.object({
  n: z.int(),
  t: z.int(),
  h: z.array(z.tuple([z.string(), z.int(), z.string()]).rest(z.string())),
  o: z.array(z.tuple([z.string(), z.enum(['a', 'r'])])),
})

export function formatHeader(of: LogHeader): string {
  return withChecksum(JSON.stringify(of))
}

export function formatRecord({ counter, at, handedOver, outcomes }: LogRecord): string {
  const line: z.infer<typeof record> = {
    n: counter,
    t: at.getTime(),
    h: handedOver.map(({ id, message, attempts, key }) => {
      const carrier = message === id ? [] : [shortenUuid(message)]
      return [shortenUuid(id), attempts, key, ...carrier]
    }),
    o: outcomes.map(({ id, outcome }) => [shortenUuid(id), outcome === 'accepted' ? 'a' : 'r']),
  }
  return withChecksum(JSON.stringify(line))
}

/** Returns the header in a line; null for a damaged one. */
export function parseHeader(line: string): LogHeader | null {
  return header.safeParse(contentOf(line)).data ?? null
}

/** Returns the record in a line; null for a damaged one, such as the last one of a process that was killed. */
export function parseRecord(line: string): LogRecord | null {
  const { data } = record.safeParse(contentOf(line))
  if (data === undefined) return null
  return {
    counter: data.n,
    at: new Date(data.t),
    handedOver: data.h.map(([id, attempts, key, carrier = id]) => ({
      id: lengthenUuid(id),
      message: lengthenUuid(carrier),
      attempts,
      key,
    })),
    outcomes: data.o.map(([id, outcome]) => ({
      id: lengthenUuid(id),
      outcome: outcome === 'a' ? 'accepted' : 'refused',
    })),
  }
}

function withChecksum(content: string): string {
  return `${content} ${crc32(content).toString(16)}\n`
}

function contentOf(line: string): unknown {
  const end = line.lastIndexOf(' ')
  const content = line.slice(0, end)
  if (end === -1 || crc32(content).toString(16) !== line.slice(end + 1)) return null
  return JSON.parse(content)
}

function shortenUuid(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

function lengthenUuid(short: string): string {
  const digits = Buffer.from(short, 'base64url').toString('hex')
  return [0, 8, 12, 16, 20].map((from, at, all) => digits.slice(from, all[at + 1])).join('-')
}

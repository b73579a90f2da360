import { createHash } from 'node:crypto'
import type { Prisma } from '#generated/prisma/client.ts'
import { advanceMark, isMarkIntact, type SendingSite } from './guard.repository.ts'
import type { SentEntry } from './sent-log.ts'
import type { HandedOver, LogHeader, LogOutcome } from './sent-log-line.ts'
import { createLogWriter } from './sent-log-writer.ts'

/** A message to hand over: its id in the ledger, whose message carries it, how often, to which member, and how. */
export type Message = { id: string; message: string; attempts: number; memberId: string; method: string }

export type SendingPermission = ReturnType<typeof createSendingPermission>

type Options = {
  site: SendingSite
  folder: string
  header: LogHeader
  /** The messages that were sent before an operator confirmed the database, by key. */
  earlier: ReadonlyMap<string, SentEntry>
}

/** Creates one sender's permission. Each claim asks for it, and each message is recorded before it is handed over. */
export function createSendingPermission({ site, folder, header, earlier }: Options) {
  const { mark, epoch } = header
  const log = createLogWriter(folder, header)
  const outcomes: { id: string; outcome: LogOutcome }[] = []
  let counter = 0
  let last: HandedOver | null = null
  let hasRecorded = false

  async function append(at: Date, handedOver: readonly HandedOver[]): Promise<void> {
    const stored = outcomes.length
    await log.append({ counter, at, handedOver, outcomes: [...outcomes] })
    outcomes.splice(0, stored)
    hasRecorded = true
  }

  return {
    /** Returns the statement without which nothing may be claimed. It returns the next counter, or no row. */
    advance: (now: Date): Prisma.Sql => advanceMark(site, { mark, counter, epoch, now }),

    /** Selects whether the database still knows what this sender claimed. */
    isIntact: (): Prisma.Sql => isMarkIntact(mark, counter),

    /** The message that was handed over last. A ledger that knows fewer attempts of it went back. */
    last: (): HandedOver | null => last,

    /** Whether anything was handed over. */
    isUsed: (): boolean => hasRecorded,

    /**
     * Records messages before they are handed over. Returns what was sent before the database was restored: a message that
     * carries any of it must not be handed over. Rejects if they can't be recorded: then none may be.
     */
    async record(claimed: { counter: number; messages: readonly Message[]; at: Date }): Promise<SentEntry[]> {
      const { at, messages } = claimed
      const all = messages.map(({ memberId, method, ...of }) => ({ ...of, key: keyOf({ memberId, method }) }))
      const known = all.flatMap((each) => {
        const entry = earlier.get(each.key)
        // Refused then, so it may be tried again.
        return entry === undefined || entry.outcome === 'refused' ? [] : [{ ...entry, ...each }]
      })
      const knownIds = new Set(known.map(({ id }) => id))
      const dropped = new Set(known.map(({ message }) => message))
      const handedOver = all.filter(({ message }) => !dropped.has(message))
      // Other deliveries of such a message are sent alone.
      const apart = new Set(all.flatMap(({ id, message }) => (knownIds.has(id) ? [] : [message])))
      counter = Math.max(counter, claimed.counter)
      if (handedOver.length > 0 || outcomes.length > 0) await append(at, handedOver)
      last = handedOver.at(-1) ?? last
      return known.map((each) => (apart.has(each.message) ? { ...each, message: each.id } : each))
    },

    /** Notes the result of a message; it is recorded with the next ones. */
    note(id: string, outcome: LogOutcome): void {
      outcomes.push({ id, outcome })
    },

    /** Records the last outcomes. */
    async close(at: Date): Promise<void> {
      try {
        if (outcomes.length > 0) await append(at, [])
      } finally {
        await log.close()
      }
    },
  }
}

/** Returns what recognizes a message of the same subject under another id: 64 bits. */
function keyOf({ memberId, method }: { memberId: string; method: string }): string {
  return createHash('sha256').update(`${memberId}/${method}`).digest().subarray(0, 8).toString('base64url')
}

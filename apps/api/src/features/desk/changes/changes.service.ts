import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../desk.errors.ts'
import type { DeskReply } from '../desk-reply.ts'
import type { Requester } from '../requests/register-desk.ts'
import {
  claimKey,
  findRecord,
  type IdempotencyRow,
  inProgress,
  recordChange,
  removeOlder,
  storeReply,
} from './changes.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'>

/** Adds an audit entry in the transaction of the change. */
export type Audit = (action: string, subject: string, details: object) => Promise<void>

export type ChangeService = ReturnType<typeof createChangeService>

const keptMs = 24 * 3600 * 1000

/** Runs editors' changes: each with its audit entries, and once for each Idempotency-Key. */
export function createChangeService({ database, clock }: Deps) {
  function oldestKept(): Date {
    return new Date(clock.now().getTime() - keptMs)
  }

  async function claim(tx: Db, { editor, idempotency }: Requester): Promise<IdempotencyRow | null> {
    if (idempotency === null) return null
    const { key, requestHash } = idempotency
    await removeOlder(tx, oldestKept(), { editorId: editor.id, key })
    const isNew = await claimKey(tx, { editorId: editor.id, key, requestHash, createdAt: clock.now() })
    return isNew ? null : await findRecord(tx, editor.id, key)
  }

  return {
    /** Commits `work`, its audit entries and its reply; replays the reply of a repeated Idempotency-Key. */
    async run(requester: Requester, work: (tx: Db, audit: Audit) => Promise<DeskReply>): Promise<DeskReply> {
      const commit = async (tx: Db) => {
        const earlier = await claim(tx, requester)
        if (earlier !== null) return storedReply(earlier, requester)
        const { editor, idempotency } = requester
        const reply = await work(tx, (action, subject, details) =>
          recordChange(tx, { editor, action, subject, details }),
        )
        if (idempotency !== null) await storeReply(tx, editor.id, idempotency.key, reply)
        return reply
      }
      // A change that publishes an edition also plans its deliveries.
      return await database.transaction(commit, { isLong: true })
    },
    /** Returns the stored reply of the requester's Idempotency-Key; null without one. */
    async findReply(requester: Requester): Promise<DeskReply | null> {
      const { editor, idempotency } = requester
      if (idempotency === null) return null
      const record = await findRecord(database.db, editor.id, idempotency.key)
      if (record === null || record.createdAt < oldestKept() || record.status === inProgress) return null
      return storedReply(record, requester)
    },
    /** Deletes the replies that are older than 24 hours. */
    async removeExpired(): Promise<void> {
      await removeOlder(database.db, oldestKept())
    },
  }
}

function storedReply(record: IdempotencyRow, { idempotency }: Requester): DeskReply {
  if (record.requestHash !== idempotency?.requestHash) throw fail('idempotency-key-reused')
  return { status: record.status, etag: record.etag, body: z.looseObject({}).parse(record.body) }
}

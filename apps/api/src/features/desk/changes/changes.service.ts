import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Editor } from '../keys/editor-keys.service.ts'
import { recordChange } from './audit.repository.ts'
import { claimKey, findRecord, type IdempotencyRow, removeOld, storeReply } from './idempotency.repository.ts'

type Deps = { database: Database; clock: Clock }

/** Who asks for a change, and the Idempotency-Key they sent, if any, with a hash of what they sent with it. */
export type Asker = { editor: Editor; idempotency: { key: string; requestHash: string } | null }

/** The answer to a change: status, body and, for one thing with a version, its ETag. */
export type DeskReply = { status: number; body: object; etag: string | null }

/** Notes one line of the audit log in the same transaction. */
export type Audit = (action: string, subject: string, details: object) => Promise<void>

export type Changes = {
  /**
   * Makes one change: `work`, its audit lines and the remembered reply are stored together or not at all.
   * A request whose Idempotency-Key was answered before gets that answer again and changes nothing.
   */
  make(asker: Asker, work: (tx: Db, audit: Audit) => Promise<DeskReply>): Promise<DeskReply>
  /** The answer that a request with this Idempotency-Key got before; null when it is new. */
  findReply(asker: Asker): Promise<DeskReply | null>
  /** Forgets the replies that are not to be given again. */
  removeOld(): Promise<void>
}

const rememberedMs = 24 * 3600 * 1000
const underWay = 102

export function createChanges({ database, clock }: Deps): Changes {
  function forgetBefore(): Date {
    return new Date(clock.now().getTime() - rememberedMs)
  }

  async function claim(tx: Db, { editor, idempotency }: Asker): Promise<IdempotencyRow | null> {
    if (idempotency === null) return null
    const own = { editorKeyId: editor.id, key: idempotency.key }
    await removeOld(tx, forgetBefore(), own)
    const { requestHash } = idempotency
    if (await claimKey(tx, { ...own, requestHash, createdAt: clock.now() })) return null
    return await findRecord(tx, editor.id, idempotency.key)
  }

  return {
    make: (asker, work) =>
      database.transaction(async (tx) => {
        const earlier = await claim(tx, asker)
        if (earlier !== null) return replyOf(earlier, asker)
        const { editor, idempotency } = asker
        const reply = await work(tx, (action, subject, details) =>
          recordChange(tx, { editorKeyId: editor.id, action, subject, details }),
        )
        if (idempotency !== null) {
          const { status, etag, body } = reply
          await storeReply(tx, editor.id, idempotency.key, { status, etag, reply: body })
        }
        return reply
      }),
    async findReply(asker) {
      if (asker.idempotency === null) return null
      const record = await findRecord(database.db, asker.editor.id, asker.idempotency.key)
      const live = record !== null && record.createdAt >= forgetBefore() && record.status !== underWay
      return live ? replyOf(record, asker) : null
    },
    async removeOld() {
      await removeOld(database.db, forgetBefore())
    },
  }
}

function replyOf(record: IdempotencyRow, { idempotency }: Asker): DeskReply {
  if (record.requestHash !== idempotency?.requestHash) {
    throw new AppError(
      'idempotency-key-reused',
      409,
      'This Idempotency-Key was used for another request in the last 24 hours.',
    )
  }
  return { status: record.status, etag: record.etag, body: z.looseObject({}).parse(record.reply) }
}

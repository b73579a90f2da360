import type { Slot } from '@tidings/contracts/edition-key'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { AppError } from '#platform/errors.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import { type EditionId, invalidatedKeysOf, keyOf } from './edition-id.ts'
import { editionDue, editionPublished } from './editions.jobs.ts'
import {
  createDraft,
  type EditionRow,
  hasMemos,
  listDue,
  lockEdition,
  lockEditionById,
  updateEdition,
} from './editions.repository.ts'
import { publishInstant } from './slot-times.ts'

type Deps = {
  database: Database
  jobs: Jobs
  clock: Clock
  invalidation: Invalidation
  logger: Logger
  slots: readonly Slot[]
  timeZone: string
  /** How long after its time an edition may still publish itself. */
  latenessMinutes: number
  /** Notes in the audit log what the site did by itself. */
  recordAutomatic: (tx: Db, action: string, edition: EditionRow) => Promise<void>
}

/**
 * What happens to an edition as a whole. Every function takes the transaction of the change it belongs to
 * and locks the edition first, so that two processes never publish it twice.
 */
export type Publishing = {
  /** The edition, made as a draft when there is none; throws `slot-not-found` for a slot that is not configured. */
  createOrLock(tx: Db, id: EditionId): Promise<{ edition: EditionRow; created: boolean }>
  /** The edition, locked; null when there is none. */
  find(tx: Db, id: EditionId): Promise<EditionRow | null>
  /**
   * Publishes it, unless it is published. `as: 'archive'` is for what is brought in from before: it carries its
   * slot's own time, and nobody is told of it.
   */
  publish(tx: Db, edition: EditionRow, options?: { as: 'news' | 'archive' }): Promise<EditionRow>
  /** Throws `edition-not-scheduled-in-future` when the slot's time has passed. Once more changes nothing. */
  schedule(tx: Db, edition: EditionRow): Promise<EditionRow>
  withdraw(tx: Db, edition: EditionRow): Promise<EditionRow>
  /** Marks the edition changed: a new version, and stale wherever it is cached. */
  touch(tx: Db, edition: EditionRow): Promise<EditionRow>
  /** Publishes a scheduled edition if its time has come, or holds it when that was too long ago. */
  publishIfDue(editionId: string): Promise<void>
  /** Does so for every scheduled edition whose time has come. */
  sweep(): Promise<void>
}

const sweepSize = 100

export function createPublishing(deps: Deps): Publishing {
  const { database, jobs, clock, invalidation, logger, slots, timeZone } = deps
  const latenessMs = deps.latenessMinutes * 60_000

  function slotOf(id: EditionId): Slot {
    const slot = slots.find(({ label }) => label === id.slot)
    if (slot !== undefined) return slot
    const labels = slots.map(({ label }) => label).join(', ')
    throw new AppError('slot-not-found', 404, `There is no slot ${id.slot}; the slots are ${labels}.`)
  }

  async function store(
    tx: Db,
    edition: EditionRow,
    change: Parameters<typeof updateEdition>[2],
  ): Promise<EditionRow> {
    const stored = await updateEdition(tx, edition.id, change)
    await invalidation.invalidate(tx, { at: invalidatedKeysOf(idOf(edition)) })
    return stored
  }

  // The lists of editions know nothing of their memos, so they stay as they are.
  async function touch(tx: Db, edition: EditionRow): Promise<EditionRow> {
    const stored = await updateEdition(tx, edition.id, {})
    await invalidation.invalidate(tx, { at: [cacheKeys.edition(keyOf(idOf(edition)))] })
    return stored
  }

  async function publish(
    tx: Db,
    edition: EditionRow,
    { as }: { as: 'news' | 'archive' } = { as: 'news' },
  ): Promise<EditionRow> {
    if (edition.status === 'published') return edition
    const now = clock.now()
    const inTime = as === 'archive' && edition.publishAt.getTime() < now.getTime()
    const stored = await store(tx, edition, {
      status: 'published',
      publishedAt: inTime ? edition.publishAt : now,
      heldReason: null,
    })
    if (as === 'news') await jobs.enqueue(tx, editionPublished, { editionId: edition.id })
    return stored
  }

  async function hold(tx: Db, edition: EditionRow, reason: string): Promise<void> {
    const held = await store(tx, edition, { status: 'held', heldReason: reason })
    await deps.recordAutomatic(tx, 'edition.hold', held)
    logger.warn({ edition: keyOf(idOf(edition)), reason }, 'an edition is held until it is published by hand')
  }

  async function publishIfDue(editionId: string): Promise<void> {
    await database.transaction(async (tx) => {
      const edition = await lockEditionById(tx, editionId)
      const lateMs = edition === null ? -1 : clock.now().getTime() - edition.publishAt.getTime()
      if (edition?.status !== 'scheduled' || lateMs < 0) return
      if (lateMs > latenessMs) {
        const minutes = Math.floor(lateMs / 60_000)
        return await hold(
          tx,
          edition,
          `It missed its time by ${minutes} minutes; more than ${deps.latenessMinutes} are too late.`,
        )
      }
      if (!(await hasMemos(tx, editionId))) {
        return await hold(tx, edition, 'It had no memos when its time came.')
      }
      const published = await publish(tx, edition)
      await deps.recordAutomatic(tx, 'edition.publish', published)
      logger.info({ edition: keyOf(idOf(edition)) }, 'an edition published itself')
    })
  }

  return {
    async createOrLock(tx, id) {
      const publishAt = publishInstant(id.date, slotOf(id), timeZone)
      const edition = await lockEdition(tx, id)
      return edition === null ? await createDraft(tx, id, publishAt) : { edition, created: false }
    },
    find: lockEdition,
    publish,
    async schedule(tx, edition) {
      const publishAt = publishInstant(fromDatabaseDate(edition.date), slotOf(idOf(edition)), timeZone)
      const isSame = edition.publishAt.getTime() === publishAt.getTime()
      if (edition.status === 'scheduled' && isSame) return edition
      if (publishAt.getTime() <= clock.now().getTime()) {
        throw new AppError(
          'edition-not-scheduled-in-future',
          409,
          `Its time was ${publishAt.toISOString()}; it can be published now, not scheduled.`,
        )
      }
      const stored = await store(tx, edition, {
        status: 'scheduled',
        publishAt,
        publishedAt: null,
        heldReason: null,
      })
      await jobs.enqueue(tx, editionDue, { editionId: edition.id }, { startAfter: publishAt })
      return stored
    },
    withdraw: (tx, edition) => store(tx, edition, { status: 'draft', publishedAt: null, heldReason: null }),
    touch,
    publishIfDue,
    async sweep() {
      for (const id of await listDue(database.db, clock.now(), sweepSize)) await publishIfDue(id)
    },
  }
}

/** There is no such edition, or none that the caller may see. */
export class EditionNotFoundError extends AppError {
  constructor(message = 'There is no published edition at this date and slot.') {
    super('edition-not-found', 404, message)
  }
}

/** What an edition's row is called by. */
export function idOf(edition: Pick<EditionRow, 'date' | 'slot'>): EditionId {
  return { date: fromDatabaseDate(edition.date), slot: edition.slot }
}

import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { idOf, invalidatedKeysOf, keyOf } from './edition-keys.ts'
import {
  type EditionRow,
  hasFinishedMemo,
  listDue,
  lockEditionById,
  updateEdition,
} from './editions.repository.ts'

export type DueEditionDeps = Pick<PlatformDeps, 'database' | 'invalidation' | 'clock' | 'logger'> & {
  /** How late a scheduled edition may still publish itself. */
  latenessMinutes: number
  /** Takes memos without title or text out of an edition that is due, so that readers don't get them. */
  leaveOutUnfinished: (tx: Db, edition: EditionRow) => Promise<void>
  /** Adds an audit entry for a change that no editor made. */
  recordAutomatic: (tx: Db, action: string, edition: EditionRow) => Promise<void>
}

type Publish = (tx: Db, edition: EditionRow, options: { otherwise: 'always' }) => Promise<EditionRow>

const sweepSize = 100

/** Publishes scheduled editions at their time. */
export function createDueEditions(deps: DueEditionDeps, publish: Publish) {
  const { database, invalidation, clock, logger } = deps
  const latenessMs = deps.latenessMinutes * 60_000

  async function hold(tx: Db, edition: EditionRow, reason: string): Promise<void> {
    const held = await updateEdition(tx, edition.id, {
      status: 'held',
      heldReason: reason,
      ownVersion: edition.version + 1,
    })
    await invalidation.invalidate(tx, { at: invalidatedKeysOf(idOf(edition)) })
    await deps.recordAutomatic(tx, 'edition.hold', held)
    logger.warn({ edition: keyOf(idOf(edition)), reason }, 'edition held')
  }

  /** Publishes a scheduled edition that is due. Holds one that is too late or has no memos. */
  async function publishIfDue(editionId: string): Promise<void> {
    const commit = async (tx: Db) => {
      const edition = await lockEditionById(tx, editionId)
      const lateMs = edition === null ? -1 : clock.now().getTime() - edition.publishAt.getTime()
      if (edition?.status !== 'scheduled' || lateMs < 0) return
      if (lateMs > latenessMs) {
        const minutes = Math.floor(lateMs / 60_000)
        return await hold(
          tx,
          edition,
          `It missed its time by ${minutes} minutes. At most ${deps.latenessMinutes} are allowed.`,
        )
      }
      if (!(await hasFinishedMemo(tx, editionId))) {
        return await hold(tx, edition, 'It had no finished memo when its time came.')
      }
      await deps.leaveOutUnfinished(tx, edition)
      const finished = (await lockEditionById(tx, editionId)) ?? edition
      const published = await publish(tx, finished, { otherwise: 'always' })
      await deps.recordAutomatic(tx, 'edition.publish', published)
      logger.info({ edition: keyOf(idOf(edition)) }, 'scheduled edition published')
    }
    await database.transaction(commit, { isLong: true })
  }

  return {
    publishIfDue,

    /** Publishes every scheduled edition that is due. */
    async sweep(): Promise<void> {
      for (const id of await listDue(database.sql, clock.now(), sweepSize)) await publishIfDue(id)
    },
  }
}

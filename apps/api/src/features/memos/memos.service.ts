import type { Memo } from '@tidings/contracts/editions'
import { limits } from '@tidings/contracts/limits'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { Stamp, Step } from '#platform/text/field-versions.ts'
import { type EditionId, type EditionRow, fail as failEdition, type Publishing } from '../editions/index.ts'
import { notifyReaders } from './memo-changes.ts'
import { fail } from './memos.errors.ts'
import { memoPublished } from './memos.jobs.ts'
import { toWireMemo } from './memos.mapper.ts'
import {
  countMemos,
  createMemo,
  listMemoIds,
  listOfPublished,
  type MemoContent,
  type MemoRow,
  moveMemo,
  removeMemo,
  setPositions,
  shiftPositions,
  updateMemo,
} from './memos.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock'> & { publishing: Publishing }

export type MemoService = ReturnType<typeof createMemoService>

/** Reads and changes memos. Callers that change one have locked its edition. */
export function createMemoService({ database, jobs, clock, publishing }: Deps) {
  return {
    /** Returns the memos of a published edition. Throws `edition-not-found`. */
    async ofEdition(id: EditionId): Promise<Memo[]> {
      const rows = await listOfPublished(database.db, id)
      if (rows === null) throw failEdition('edition-not-found')
      return rows.map(toWireMemo)
    },

    /** Adds a memo at a position, or at the end. Readers get it at once if the edition is published. */
    async add(
      tx: Db,
      edition: EditionRow,
      content: MemoContent,
      { position, by = null }: { position?: number | undefined; by?: Stamp['by'] } = {},
    ): Promise<MemoRow> {
      const count = await countMemos(tx, edition.id)
      if (count >= limits.memosPerEdition) throw fail('edition-full')
      const place = Math.min(position ?? count + 1, count + 1)
      if (place <= count) await shiftPositions(tx, edition.id, { from: place, to: count }, 1)
      const memo = await createMemo(tx, edition.id, place, content, by)
      await publishing.touch(tx, edition, { isOrder: true })
      if (edition.status === 'published') await jobs.enqueue(tx, memoPublished, { memoId: memo.id })
      return memo
    },

    /**
     * Stores a change, which open pages get at once. A new position shifts the memos in between, and changes the order of
     * the edition, not the memo's version.
     */
    async change(
      tx: Db,
      edition: EditionRow,
      memo: MemoRow,
      { position = memo.position, ...content }: Partial<MemoContent> & { position?: number | undefined },
      stamp: Step,
    ): Promise<MemoRow> {
      const isSamePlace = position === memo.position
      const place = isSamePlace ? position : Math.min(position, await countMemos(tx, edition.id))
      if (place < memo.position) {
        await shiftPositions(tx, edition.id, { from: place, to: memo.position - 1 }, 1)
      } else if (place > memo.position) {
        await shiftPositions(tx, edition.id, { from: memo.position + 1, to: place }, -1)
      }
      // Without content, changes were dropped that readers never had.
      const isNew = Object.keys(content).length > 0 && stamp.fields.some((field) => field !== 'ready')
      const isCorrection = edition.status === 'published' && isNew
      const corrected = isCorrection ? { ...content, textChangedAt: clock.now() } : content
      const isMoved = place !== memo.position
      const moved = isMoved ? await moveMemo(tx, memo.id, place) : memo
      const stored =
        stamp.fields.length === 0 && stamp.atLeast === undefined
          ? moved
          : await updateMemo(tx, memo, corrected, stamp)
      await publishing.touch(tx, edition, { isOrder: isMoved })
      // After the invalidation, so that a page that reads the edition again gets the change.
      await notifyReaders(tx, edition, 'changed', [memo.id])
      return stored
    },

    /** Deletes a memo with its likes and closes the gap. */
    async withdraw(tx: Db, edition: EditionRow, memo: MemoRow): Promise<void> {
      await removeMemo(tx, memo.id)
      await shiftPositions(tx, edition.id, { from: memo.position + 1, to: limits.memosPerEdition }, -1)
      await publishing.touch(tx, edition, { isOrder: true })
      await notifyReaders(tx, edition, 'withdrawn', [memo.id])
    },

    /** Sets the order of an edition. `ids` are all its memos. */
    async reorder(tx: Db, edition: EditionRow, ids: readonly string[]): Promise<EditionRow> {
      const before = await listMemoIds(tx, edition.id)
      const moved = ids.filter((id, index) => id !== before[index])
      await setPositions(tx, edition.id, ids)
      const stored = await publishing.touch(tx, edition, { isOrder: true })
      await notifyReaders(tx, edition, 'changed', moved)
      return stored
    },
  }
}

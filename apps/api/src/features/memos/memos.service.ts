import type { Memo } from '@tidings/contracts/editions'
import { limits } from '@tidings/contracts/limits'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { type EditionId, type EditionRow, fail as failEdition, type Publishing } from '../editions/index.ts'
import { notifyReaders } from './memo-changes.ts'
import { fail } from './memos.errors.ts'
import { memoPublished } from './memos.jobs.ts'
import { toWireMemo } from './memos.mapper.ts'
import {
  countMemos,
  createMemo,
  listOfPublished,
  type MemoContent,
  type MemoRow,
  removeMemo,
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
    async add(tx: Db, edition: EditionRow, content: MemoContent, position?: number): Promise<MemoRow> {
      const count = await countMemos(tx, edition.id)
      if (count >= limits.memosPerEdition) throw fail('edition-full')
      const place = Math.min(position ?? count + 1, count + 1)
      if (place <= count) await shiftPositions(tx, edition.id, { from: place, to: count }, 1)
      const memo = await createMemo(tx, edition.id, place, content)
      await publishing.touch(tx, edition)
      if (edition.status === 'published') await jobs.enqueue(tx, memoPublished, { memoId: memo.id })
      return memo
    },

    /** Stores a change, which open pages get at once. A new position shifts the memos in between. */
    async change(
      tx: Db,
      edition: EditionRow,
      memo: MemoRow,
      { position = memo.position, ...content }: Partial<MemoContent> & { position?: number | undefined },
    ): Promise<MemoRow> {
      const place = Math.min(position, await countMemos(tx, edition.id))
      if (place < memo.position) {
        await shiftPositions(tx, edition.id, { from: place, to: memo.position - 1 }, 1)
      } else if (place > memo.position) {
        await shiftPositions(tx, edition.id, { from: memo.position + 1, to: place }, -1)
      }
      const isCorrection = edition.status === 'published' && differs(memo, content)
      const stored = await updateMemo(tx, memo.id, {
        ...content,
        position: place,
        ...(isCorrection && { textChangedAt: clock.now() }),
      })
      await publishing.touch(tx, edition)
      // After the invalidation, so that a page that reads the edition again gets the change.
      await notifyReaders(tx, edition, 'changed', [memo.id])
      return stored
    },

    /** Deletes a memo with its likes and closes the gap. */
    async withdraw(tx: Db, edition: EditionRow, memo: MemoRow): Promise<void> {
      await removeMemo(tx, memo.id)
      await shiftPositions(tx, edition.id, { from: memo.position + 1, to: limits.memosPerEdition }, -1)
      await publishing.touch(tx, edition)
      await notifyReaders(tx, edition, 'withdrawn', [memo.id])
    },
  }
}

/** Returns whether a change gives a memo another text, picture or source. */
function differs(memo: MemoRow, content: Partial<MemoContent>): boolean {
  const stored = new Map<string, unknown>(Object.entries(memo))
  return Object.entries(content).some(
    ([column, value]) => value !== undefined && stored.get(column) !== value,
  )
}

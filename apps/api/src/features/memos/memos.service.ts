import { limits } from '@tidings/contracts/limits'
import type { Memo } from '@tidings/contracts/memos'
import type { Database, Db } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Jobs } from '#platform/jobs.ts'
import { type EditionId, EditionNotFoundError, type EditionRow, type Publishing } from '../editions/index.ts'
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

type Deps = { database: Database; jobs: Jobs; publishing: Publishing }

export type MemoService = {
  /** The memos of a published edition; throws `edition-not-found`. */
  ofEdition(id: EditionId): Promise<Memo[]>
  /** Adds a memo at a place, or at the end; live at once when the edition is published. The edition is locked. */
  add(tx: Db, edition: EditionRow, content: MemoContent, position?: number): Promise<MemoRow>
  /** Changes what is named; a new position moves the others along. The edition is locked. */
  change(
    tx: Db,
    edition: EditionRow,
    memo: MemoRow,
    change: Partial<MemoContent>,
    position?: number,
  ): Promise<MemoRow>
  /** Takes a memo and its likes away for good and closes the gap. The edition is locked. */
  withdraw(tx: Db, edition: EditionRow, memo: MemoRow): Promise<void>
}

export function createMemoService({ database, jobs, publishing }: Deps): MemoService {
  return {
    async ofEdition(id) {
      const rows = await listOfPublished(database.db, id)
      if (rows === null) throw new EditionNotFoundError()
      return rows.map(toWireMemo)
    },

    async add(tx, edition, content, position) {
      const count = await countMemos(tx, edition.id)
      if (count >= limits.memosPerEdition) {
        throw new AppError('edition-full', 409, `An edition takes ${limits.memosPerEdition} memos at most.`)
      }
      const place = Math.min(position ?? count + 1, count + 1)
      if (place <= count) await shiftPositions(tx, edition.id, { from: place, to: count }, 1)
      const memo = await createMemo(tx, edition.id, place, content)
      await publishing.touch(tx, edition)
      if (edition.status === 'published') await jobs.enqueue(tx, memoPublished, { memoId: memo.id })
      return memo
    },

    async change(tx, edition, memo, change, position) {
      const count = await countMemos(tx, edition.id)
      const place = Math.min(position ?? memo.position, count)
      if (place < memo.position) {
        await shiftPositions(tx, edition.id, { from: place, to: memo.position - 1 }, 1)
      } else if (place > memo.position) {
        await shiftPositions(tx, edition.id, { from: memo.position + 1, to: place }, -1)
      }
      const stored = await updateMemo(tx, memo.id, { ...change, position: place })
      await publishing.touch(tx, edition)
      return stored
    },

    async withdraw(tx, edition, memo) {
      await removeMemo(tx, memo.id)
      await shiftPositions(tx, edition.id, { from: memo.position + 1, to: limits.memosPerEdition }, -1)
      await publishing.touch(tx, edition)
    },
  }
}

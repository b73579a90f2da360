import { memoText } from '@tidings/contracts/desk/memo-text'
import type { TextVersionSummary } from '@tidings/contracts/desk/writing/versions'
import type { Database } from '#platform/database.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, type PageQuery, pageReply, replyWith } from '../desk-reply.ts'
import type { Requester } from '../requests/register-desk.ts'
import { compareTexts } from './compare-texts.ts'
import { readMemoState } from './memo-state.ts'
import type { MemoWriting } from './memo-writing.service.ts'
import { findVersion, listVersions, type TextVersionRow } from './text-versions.repository.ts'

type Deps = { database: Database; memoWriting: MemoWriting }

export type MemoVersions = ReturnType<typeof createMemoVersions>

/** Lets people read, compare and restore the versions of memos. */
export function createMemoVersions({ database, memoWriting }: Deps) {
  async function textOf(memoId: string, id: string) {
    const row = await findVersion(database.db, memoId, id)
    if (row === null) throw fail('version-not-found')
    return { row, text: memoText.parse(row.fields) }
  }

  return {
    async list(memoId: string, { limit, after }: PageQuery): Promise<DeskReply> {
      const rows = await listVersions(database.db, memoId, { limit: limit + 1, before: after })
      return pageReply(rows, limit, { map: toSummary, next: ({ id }) => id })
    },

    /** Throws `version-not-found`. */
    async read(memoId: string, id: string): Promise<DeskReply> {
      const { row, text } = await textOf(memoId, id)
      return replyWith({ ...toSummary(row), fields: text })
    },

    /** Compares a version with a later one, or with the memo as it is written now. */
    async compare(memoId: string, id: string, later: string | undefined): Promise<DeskReply> {
      const { text: before } = await textOf(memoId, id)
      const after =
        later === undefined
          ? (await readMemoState(database.db, memoId)).text
          : (await textOf(memoId, later)).text
      return replyWith(compareTexts(before, after))
    },

    /** Saves the text of a version, as if a person had typed it. */
    async restore(
      requester: Requester,
      { memoId, id, version }: { memoId: string; id: string; version: number | null },
    ): Promise<DeskReply> {
      const { text } = await textOf(memoId, id)
      return await memoWriting.save(requester, memoId, text, version)
    },
  }
}

function toSummary({ id, kind, startedAt, endedAt, savedBy }: TextVersionRow): TextVersionSummary {
  return { id, kind, startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString(), savedBy }
}

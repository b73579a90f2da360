import { memoText } from '@tidings/contracts/desk/memo-text'
import type { Database } from '#platform/database.ts'
import { readMemoState } from './memo-state.ts'
import type { MemoWriting } from './memo-writing.service.ts'
import { createTextVersions, type TextVersions } from './text-versions.service.ts'

type Deps = { database: Database; memoWriting: MemoWriting }

/** Lets people read, compare and restore the versions of memos. */
export function createMemoVersions({ database, memoWriting }: Deps): TextVersions {
  return createTextVersions({
    database,
    schema: memoText,
    readText: async (id) => (await readMemoState(database.db, id)).text,
    save: (requester, id, text, version) => memoWriting.save(requester, id, text, version, 'restored'),
  })
}

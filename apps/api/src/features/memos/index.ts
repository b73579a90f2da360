/** Memos: the items of an edition. */
export { findMemos } from './found-memos.repository.ts'
export { memoChangesChannel, notifyReaders, parseMemoChanges } from './memo-changes.ts'
export { fail } from './memos.errors.ts'
export { memoPublished } from './memos.jobs.ts'
export { memoFields, toDeskMemo, toFoundMemo, toMemoEvent } from './memos.mapper.ts'
export { getMemo, listMemoIds, listMemos, listPublishedByIds, type MemoRow } from './memos.repository.ts'
export { registerMemoRoutes } from './memos.routes.ts'
export { createMemoService, type MemoService } from './memos.service.ts'

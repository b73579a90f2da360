/** Memos: the items of an edition. */
export { findMemos } from './found-memos.repository.ts'
export { memoChangesChannel, notifyReaders, parseMemoChanges } from './memo-changes.ts'
export { fail } from './memos.errors.ts'
export { memoPublished } from './memos.jobs.ts'
export {
  cleanMemoText,
  memoFields,
  missingFields,
  toDeskMemo,
  toExcerpt,
  toMemoEvent,
  toMemoText,
  toWireMemo,
} from './memos.mapper.ts'
export {
  findEditionIdOf,
  findMemo,
  findMemoRow,
  findMemosById,
  getMemo,
  listMemoIds,
  listMemos,
  listPublishedByIds,
  type MemoRow,
  moveToEdition,
} from './memos.repository.ts'
export { registerMemoRoutes } from './memos.routes.ts'
export { createMemoService, type MemoService } from './memos.service.ts'
export { toUnsavedRow } from './unsaved-memo.ts'

/** Memos: the items of an edition. */
export { MemoNotFoundError } from './memos.errors.ts'
export { memoPublished } from './memos.jobs.ts'
export { toNewMemoEvent } from './memos.mapper.ts'
export {
  findMemo,
  listMemoIds,
  listMemos,
  listPublishedByIds,
  type MemoContent,
  type MemoRow,
} from './memos.repository.ts'
export { registerMemoRoutes } from './memos.routes.ts'
export { createMemoService, type MemoService } from './memos.service.ts'

import type { Database } from '#platform/database.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { editionPublished } from '../editions/index.ts'
import { listMemoIds, memoPublished } from '../memos/index.ts'

type Deps = { database: Database; liveFeed: { announce(memoIds: readonly string[]): Promise<void> } }

/** Sends NEW_MEMO for the memos of an edition, in order. */
export const announceEdition: Job<{ editionId: string }, Deps> = {
  ...editionPublished,
  run: async ({ editionId }, { database, liveFeed }) =>
    await liveFeed.announce(await listMemoIds(database.db, editionId)),
}

export const announceMemo: Job<{ memoId: string }, Deps> = {
  ...memoPublished,
  run: ({ memoId }, { liveFeed }) => liveFeed.announce([memoId]),
}

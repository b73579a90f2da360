import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { idOf, invalidatedKeysOf, keyOf } from './edition-keys.ts'
import { fail } from './editions.errors.ts'
import { editionPublished } from './editions.jobs.ts'
import { type EditionRow, removeEdition, updateEdition } from './editions.repository.ts'

/** Stores fields of an edition and invalidates what shows it. */
export type StoreEdition = ReturnType<typeof createEditionStore>

/** Whether an edition is sent to members, as `DeliveryChoice` says it. */
type Choice = { send: 'resume'; isAsked: boolean }

export function createEditionStore(invalidation: PlatformDeps['invalidation']) {
  return async function store(
    tx: Db,
    edition: EditionRow,
    change: Parameters<typeof updateEdition>[2],
  ): Promise<EditionRow> {
    const stored = await updateEdition(tx, edition.id, { ...change, ownVersion: edition.version + 1 })
    await invalidation.invalidate(tx, { at: invalidatedKeysOf(idOf(edition)) })
    return stored
  }
}

type Deps = Pick<PlatformDeps, 'jobs'> & {
  store: StoreEdition
  planDelivery: (tx: Db, edition: EditionRow, choice: Choice) => Promise<void>
}

/** Changes of editions beside their way from draft to publication. */
export function createEditionChanges({ jobs, store, planDelivery }: Deps) {
  return {
    /** Deletes an edition without memos that was never public. Throws `edition-was-public`. */
    async remove(tx: Db, edition: EditionRow): Promise<void> {
      if (edition.status === 'published' || edition.withdrawnPublishedAt !== null)
        throw fail('edition-was-public', keyOf(idOf(edition)))
      await removeEdition(tx, edition.id)
    },
    /** Publishes an edition again that was withdrawn, with its time of then. Open pages get its memos. */
    async undoWithdrawal(tx: Db, edition: EditionRow): Promise<EditionRow> {
      if (edition.status !== 'draft' || edition.withdrawnPublishedAt === null)
        throw fail('edition-not-withdrawn', keyOf(idOf(edition)))
      const stored = await store(tx, edition, {
        status: 'published',
        publishedAt: edition.withdrawnPublishedAt,
        withdrawnPublishedAt: null,
      })
      await jobs.enqueue(tx, editionPublished, { editionId: edition.id })
      await planDelivery(tx, stored, { send: 'resume', isAsked: false })
      return stored
    },
    /** Stores the subject of the emails of an edition. */
    async name(tx: Db, edition: EditionRow, subject: string): Promise<EditionRow> {
      return subject === edition.subject ? edition : await store(tx, edition, { subject })
    },
  }
}

import type { Slot } from '@tidings/contracts/edition-key'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { createDueEditions, type DueEditionDeps } from './due-editions.ts'
import { createEditionChanges, createEditionStore } from './edition-changes.ts'
import { type EditionId, editionCacheKeys, idOf, keyOf } from './edition-keys.ts'
import { fail } from './editions.errors.ts'
import { editionDue, editionPublished } from './editions.jobs.ts'
import { createDraft, type EditionRow, lockEdition, updateEdition } from './editions.repository.ts'
import { createSlotTimes } from './slot-clock.ts'

type Deps = DueEditionDeps &
  Pick<PlatformDeps, 'jobs' | 'invalidation'> & {
    slots: readonly Slot[]
    timeZone: string
    /** Plans what members get of an edition that is published as news. */
    planDelivery: (tx: Db, edition: EditionRow, choice: DeliveryChoice) => Promise<void>
    /** Does what an editor says later about an edition that is scheduled or published, or refuses it. */
    changeDelivery: (tx: Db, edition: EditionRow, deliver: boolean) => Promise<void>
  }

/**
 * Whether an edition is sent to members: if its date is today or tomorrow, in any case, not at all, or as it was being
 * sent before it was withdrawn.
 */
export type DeliveryChoice = {
  send: 'by-date' | 'always' | 'never' | 'resume'
  /** An editor asked for it in this request, and gets an error if it is impossible. */
  isAsked: boolean
}

type PublishOptions = {
  as?: 'news' | 'archive'
  deliver?: boolean | undefined
  /** The default without a choice of the editor. */
  otherwise?: 'by-date' | 'always'
}

export type Publishing = ReturnType<typeof createPublishing>

/** Changes the status of editions, in the caller's transaction and with the edition locked. */
export function createPublishing(deps: Deps) {
  const { jobs, clock, invalidation, slots, timeZone } = deps

  const { publishTimeOf, nextSlotTime } = createSlotTimes({ slots, timeZone })

  const store = createEditionStore(invalidation)

  /** Stores whether members get an edition, and acts on it. Without `deliver`, nothing changes. */
  async function choose(tx: Db, edition: EditionRow, deliver: boolean | undefined): Promise<EditionRow> {
    if (deliver === undefined) return edition
    const stored = deliver === edition.deliver ? edition : await store(tx, edition, { deliver })
    // A draft's choice counts once it is published.
    if (edition.status !== 'draft' && edition.status !== 'held')
      await deps.changeDelivery(tx, stored, deliver)
    return stored
  }

  /** Publishes an edition. `as: 'archive'` is for imported editions: it keeps the slot's own time and announces nothing. */
  async function publish(
    tx: Db,
    edition: EditionRow,
    { as = 'news', deliver, otherwise = 'by-date' }: PublishOptions = {},
  ): Promise<EditionRow> {
    if (edition.status === 'published') return await choose(tx, edition, deliver)
    const now = clock.now()
    const isOnTime = as === 'archive' && edition.publishAt.getTime() < now.getTime()
    const stored = await store(tx, edition, {
      status: 'published',
      publishedAt: isOnTime ? edition.publishAt : now,
      heldReason: null,
      withdrawnPublishedAt: null,
      ...chosen(deliver),
    })
    if (as === 'news') {
      await jobs.enqueue(tx, editionPublished, { editionId: edition.id })
      const send = stored.deliver === null ? otherwise : stored.deliver ? 'always' : 'never'
      await deps.planDelivery(tx, stored, { send, isAsked: deliver !== undefined })
    }
    return stored
  }

  return {
    publish,
    ...createDueEditions(deps, publish),
    /** Locks the edition; creates a draft if there is none. Throws `slot-not-found` for an unknown slot. */
    async createOrLock(tx: Db, id: EditionId): Promise<{ edition: EditionRow; created: boolean }> {
      const publishAt = publishTimeOf(id)
      const edition = await lockEdition(tx, id)
      return edition === null ? await createDraft(tx, id, publishAt) : { edition, created: false }
    },
    /** Locks the edition; returns null if there is none. */
    find: lockEdition,
    /**
     * Schedules an edition for its slot's time, or for `at`. Throws `edition-not-scheduled-in-future` for a time that is
     * over, and `edition-after-next-slot` for one that isn't before the next slot's.
     */
    async schedule(
      tx: Db,
      edition: EditionRow,
      { deliver, at }: { deliver?: boolean | undefined; at?: Date | undefined } = {},
    ): Promise<EditionRow> {
      const publishAt = at ?? publishTimeOf(idOf(edition))
      const limit = nextSlotTime(idOf(edition))
      if (publishAt.getTime() >= limit.getTime()) throw fail('edition-after-next-slot', limit)
      const isSame = edition.publishAt.getTime() === publishAt.getTime()
      if (edition.status === 'scheduled' && isSame) return await choose(tx, edition, deliver)
      if (publishAt.getTime() <= clock.now().getTime())
        throw fail('edition-not-scheduled-in-future', publishAt)
      const change = { status: 'scheduled', publishAt, publishedAt: null, heldReason: null } as const
      const stored = await store(tx, edition, { ...change, ...chosen(deliver) })
      await jobs.enqueue(tx, editionDue, { editionId: edition.id }, { startAfter: publishAt })
      return await choose(tx, stored, deliver)
    },
    /** Withdraws an edition, or keeps a draft. */
    async withdraw(tx: Db, edition: EditionRow, deliver?: boolean): Promise<EditionRow> {
      if (edition.status === 'draft') return await choose(tx, edition, deliver)
      const change = {
        status: 'draft',
        publishedAt: null,
        heldReason: null,
        withdrawnPublishedAt: edition.publishedAt ?? edition.withdrawnPublishedAt,
      } as const
      return await store(tx, edition, { ...change, ...chosen(deliver) })
    },
    ...createEditionChanges({ ...deps, store }),
    /** Increments the version, and that of the order, and invalidates what contains memos. */
    async touch(
      tx: Db,
      edition: EditionRow,
      { isOrder = false }: { isOrder?: boolean } = {},
    ): Promise<EditionRow> {
      const stored = await updateEdition(tx, edition.id, isOrder ? { orderVersion: { increment: 1 } } : {})
      if (edition.status !== 'published') return stored
      await invalidation.invalidate(tx, {
        at: [editionCacheKeys.edition(keyOf(idOf(edition))), editionCacheKeys.feeds],
      })
      return stored
    },
  }
}

function chosen(deliver: boolean | undefined): { deliver?: boolean } {
  return deliver === undefined ? {} : { deliver }
}

import type { EditionChange, EditionQuery, PublishRequest } from '@tidings/contracts/desk/editions'
import { formatPlace, parsePlace } from '@tidings/contracts/desk/find'
import { type EditionId, findEdition, keyOf, listEditions, toDeskEdition } from '#features/editions/index.ts'
import { listMemoIds, notifyReaders } from '#features/memos/index.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, pageReply, versionedReply } from '../desk-reply.ts'
import { announceEdition } from '../events/announce.ts'
import { requireScope, requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { createEditionStatus, type EditionStatusDeps } from './edition-status.ts'

const dayCharacters = 10

type Deps = EditionStatusDeps & Pick<DeskDeps, 'database' | 'changes'>

export type EditionDesk = ReturnType<typeof createEditionDesk>

/** Lets editors read editions and change their status. */
export function createEditionDesk(deps: Deps) {
  const { database, changes, publishing } = deps
  const { withMemos, apply, publishNow, requireSeen } = createEditionStatus(deps)

  return {
    async list({ limit, after, ...filter }: EditionQuery): Promise<DeskReply> {
      const page = { limit: limit + 1, before: parsePlace(after) }
      const rows = await listEditions(database.db, page, filter)
      return pageReply(rows, limit, {
        map: (row) => toDeskEdition(row, row),
        next: ({ date, id }) => formatPlace({ at: date.toISOString().slice(0, dayCharacters), id }),
      })
    },

    async read(id: EditionId): Promise<DeskReply> {
      const edition = await findEdition(database.db, id)
      if (edition === null) throw fail('edition-not-found', keyOf(id))
      return versionedReply(await withMemos(database.db, edition))
    },

    async put(
      requester: Requester,
      id: EditionId,
      change: EditionChange,
      version: number | null,
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { edition, created } = await publishing.createOrLock(tx, id)
        const { editor } = requester
        // A person decides about the edition itself, whatever others write in it meanwhile.
        const isSeen = !created && version !== null && version >= edition.ownVersion
        const isPerson = editor.kind === 'person' && isSeen && version <= edition.version
        if (created && version !== null) requireVersion(version, 0)
        if (!created && !isPerson) await requireSeen(tx, edition, version)
        const { status, deliver } = change
        requireScopeFor(requester.editor, edition.status, status)
        const stored = await apply(tx, edition, change, editor)
        if (stored.status !== 'published') {
          await notifyReaders(tx, edition, 'withdrawn', await listMemoIds(tx, edition.id))
        }
        if (created) await audit('edition.create', keyOf(id), {})
        const isMoved = stored.publishAt.getTime() !== edition.publishAt.getTime()
        if (stored.status !== edition.status || isMoved) {
          await audit(actionNames[status], keyOf(id), { from: edition.status, to: stored.status })
        }
        if (deliver !== undefined) await audit('edition.deliver', keyOf(id), { deliver })
        if (created || stored.version !== edition.version) await announceEdition(tx, stored, requester.editor)
        return versionedReply(await withMemos(tx, stored), created ? 201 : 200)
      })
    },

    /** Publishes an edition. `deliver` overrides that members only get editions of today and tomorrow. */
    async publish(
      requester: Requester,
      id: EditionId,
      { deliver, subject, version }: NonNullable<PublishRequest> & { version: number | null },
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        const edition = await publishing.find(tx, id)
        if (edition === null) throw fail('edition-not-found', keyOf(id))
        if (version !== null && edition.status !== 'published') await requireSeen(tx, edition, version)
        const isPublic = edition.status === 'published'
        const named =
          isPublic || subject === undefined ? edition : await publishing.name(tx, edition, subject)
        const stored = await publishNow(tx, named, requester.editor, deliver)
        if (stored.status !== edition.status) {
          await audit(actionNames.published, keyOf(id), { from: edition.status, to: stored.status })
        }
        if (deliver !== undefined) await audit('edition.deliver', keyOf(id), { deliver })
        if (stored.version !== edition.version) await announceEdition(tx, stored, requester.editor)
        return versionedReply(await withMemos(tx, stored))
      })
    },
  }
}

const actionNames = {
  draft: 'edition.withdraw',
  scheduled: 'edition.schedule',
  published: 'edition.publish',
} as const

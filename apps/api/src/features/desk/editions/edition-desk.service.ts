import type { DeskEdition, EditionChange, EditionQuery } from '@tidings/contracts/desk/editions'
import {
  type EditionId,
  type EditionRow,
  findEdition,
  findEditionById,
  keyOf,
  listEditions,
  type Publishing,
  toDeskEdition,
} from '#features/editions/index.ts'
import { listMemoIds, listMemos, notifyReaders, toDeskMemo } from '#features/memos/index.ts'
import type { Database, Db } from '#platform/database.ts'
import { invalidField } from '#platform/fields.ts'
import type { ChangeService } from '../changes/changes.service.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, pageReply, versionedReply } from '../desk-reply.ts'
import { type Editor, requireScope } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'

type Deps = { database: Database; changes: ChangeService; publishing: Publishing }

export type EditionDesk = ReturnType<typeof createEditionDesk>

/** Lets editors read editions and change their status. */
export function createEditionDesk({ database, changes, publishing }: Deps) {
  async function withMemos(db: Db, edition: EditionRow): Promise<DeskEdition> {
    const rows = await listMemos(db, edition.id)
    return { ...toDeskEdition(edition, rows.length), memos: rows.map((row) => toDeskMemo(row, edition)) }
  }

  async function apply(tx: Db, edition: EditionRow, { status, deliver }: EditionChange): Promise<EditionRow> {
    if (status === 'draft') return await publishing.withdraw(tx, edition, deliver)
    // Scheduling again applies a slot time that has changed since.
    if (status === 'scheduled') return await publishing.schedule(tx, edition, deliver)
    return await publishing.publish(tx, edition, { deliver })
  }

  return {
    async list({ limit, after, ...filter }: EditionQuery): Promise<DeskReply> {
      const before = after === undefined ? null : await findEditionById(database.db, after)
      if (after !== undefined && before === null) {
        throw invalidField('after', "must be the 'next' of the page before")
      }
      const rows = await listEditions(database.db, { limit: limit + 1, before }, filter)
      return pageReply(rows, limit, {
        map: (row) => toDeskEdition(row, row.memoCount),
        next: ({ id }) => id,
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
        if (!created || version !== null) requireVersion(version, created ? 0 : edition.version)
        const { status, deliver } = change
        requirePublish(requester.editor, edition.status, status)
        const stored = await apply(tx, edition, change)
        if (stored.status !== 'published') {
          await notifyReaders(tx, edition, 'withdrawn', await listMemoIds(tx, edition.id))
        }
        if (created) await audit('edition.create', keyOf(id), {})
        const isMoved = stored.publishAt.getTime() !== edition.publishAt.getTime()
        if (stored.status !== edition.status || isMoved) {
          await audit(actionNames[status], keyOf(id), { from: edition.status, to: stored.status })
        }
        if (deliver !== undefined) await audit('edition.deliver', keyOf(id), { deliver })
        return versionedReply(await withMemos(tx, stored), created ? 201 : 200)
      })
    },

    /** Publishes an edition. `deliver` overrides that members only get editions of today and tomorrow. */
    async publish(requester: Requester, id: EditionId, deliver?: boolean): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        const edition = await publishing.find(tx, id)
        if (edition === null) throw fail('edition-not-found', keyOf(id))
        const stored = await publishing.publish(tx, edition, { deliver })
        if (stored.status !== edition.status) {
          await audit(actionNames.published, keyOf(id), { from: edition.status, to: stored.status })
        }
        if (deliver !== undefined) await audit('edition.deliver', keyOf(id), { deliver })
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

/** Requires the scope `publish` for a change that readers see now or later, and `write` for drafts. */
export function requirePublish(
  editor: Editor,
  before: EditionRow['status'],
  after: EditionRow['status'],
): void {
  requireScope(editor, before === 'draft' && after === 'draft' ? 'write' : 'publish')
}

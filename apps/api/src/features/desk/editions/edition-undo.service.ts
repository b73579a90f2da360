import {
  type EditionId,
  type EditionRow,
  getEditionId,
  idOf,
  keyOf,
  type Publishing,
} from '#features/editions/index.ts'
import { listMemos, type MemoRow, type MemoService, memoFields, toMemoText } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, type PageQuery, pageReply, replyWith, versionedReply } from '../desk-reply.ts'
import { announce, announceEdition, toActor } from '../events/announce.ts'
import { type Editor, requireScope, requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import {
  type DeletedMemoRow,
  forgetDeleted,
  keepDeleted,
  listDeleted,
  lockDeleted,
  removeDeletedBefore,
} from '../writing/deleted-memos.repository.ts'
import { listOrder } from '../writing/memo-state.ts'
import { allFieldsAt } from '../writing/private-memos.ts'
import { storeMemoCopy } from '../writing/working-copies.repository.ts'
import { getLocked } from './locked-edition.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'siteLanguage' | 'clock'> & {
  publishing: Publishing
  memos: MemoService
}

const keptMs = 30 * 24 * 3_600_000

export type EditionUndo = ReturnType<typeof createEditionUndo>

/** Lets editors delete editions and memos and bring them back. */
export function createEditionUndo({ database, changes, publishing, memos, siteLanguage, clock }: Deps) {
  const { bringBackPrivate, removeUnread } = createUnreadMemos({ memos, clock })

  return {
    /** Deletes an edition that readers never had. Its memos can be brought back. Throws `edition-was-public`. */
    async remove(requester: Requester, id: EditionId, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await getLocked(publishing, tx, id)
        requireVersion(version, edition.version)
        requireScopeFor(requester.editor, edition.status)
        const rows = await listMemos(tx, edition.id)
        for (const memo of rows.toReversed()) await removeUnread(tx, requester.editor, { edition, memo })
        await publishing.remove(tx, edition)
        await audit('edition.delete', keyOf(id), { memos: rows.map(({ title }) => title) })
        await announceEdition(tx, edition, requester.editor)
        return replyWith({ key: keyOf(id) })
      })
    },

    async listDeleted({ limit, after }: PageQuery): Promise<DeskReply> {
      const rows = await listDeleted(database.db, { limit: limit + 1, before: after })
      return pageReply(rows, limit, { map: toDeletedMemo, next: ({ memoId }) => memoId })
    },

    /** Brings a deleted memo back, with its likes. Creates its edition if that was deleted too. */
    async undelete(requester: Requester, memoId: string): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const deleted = await lockDeleted(tx, memoId)
        if (deleted === null) throw fail('deleted-memo-not-found')
        const id = getEditionId(deleted.editionKey)
        const { edition } = await publishing.createOrLock(tx, id)
        const { fields, position, createdAt } = deleted
        if (edition.status === 'published' && !deleted.wasPublic) {
          requireScope(requester.editor, 'write')
          const place = Math.min(position, (await listOrder(tx, edition.id)).length + 1)
          const copy = await bringBackPrivate(tx, requester.editor, { deleted, edition, place })
          await audit('memo.undelete', deleted.editionKey, { memo: memoId, title: fields.title })
          return copy
        }
        requireScopeFor(requester.editor, edition.status)
        const columns = mapDefined({ ...fields, ready: false }, memoFields(fields.language || siteLanguage))
        const by = requester.editor
        const version = deleted.version + 1
        const content = { ...columns, id: memoId, createdAt, version, fieldVersions: allFieldsAt(version) }
        const memo = await memos.add(tx, edition, content, { position, by })
        await forgetDeleted(tx, deleted)
        await audit('memo.undelete', deleted.editionKey, { memo: memoId, title: memo.title })
        const saved = { memo: memoId, edition: deleted.editionKey, version }
        await announce(tx, { type: 'saved', ...saved, by: toActor(by) })
        const isPublic = edition.status === 'published'
        return versionedReply({ id: memoId, edition: deleted.editionKey, isPublic, version })
      })
    },

    /** Deletes for good what was deleted 30 days ago. */
    async removeOld(): Promise<void> {
      await removeDeletedBefore(database.db, new Date(clock.now().getTime() - keptMs))
    },

    /** Publishes an edition again that was withdrawn, as it was. Throws `edition-not-withdrawn`. */
    async undoWithdrawal(requester: Requester, id: EditionId): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await getLocked(publishing, tx, id)
        const stored = await publishing.undoWithdrawal(tx, edition)
        await audit('edition.undo-withdrawal', keyOf(id), { from: 'draft', to: 'published' })
        await announceEdition(tx, stored, requester.editor)
        return replyWith({ key: keyOf(id), status: stored.status, version: stored.version })
      })
    },
  }
}

/** Returns what deletes memos that readers never had, and brings them back. */
function createUnreadMemos({ memos, clock }: Pick<Deps, 'memos' | 'clock'>) {
  /** Brings a memo back that readers of its published edition never had. */
  async function bringBackPrivate(
    tx: Db,
    editor: Editor,
    { deleted, edition, place }: { deleted: DeletedMemoRow; edition: EditionRow; place: number },
  ): Promise<DeskReply> {
    const { memoId: id, fields, version: last } = deleted
    const version = last + 1
    const copy = {
      id,
      editionId: edition.id,
      place,
      baseVersion: 0,
      version,
      fields,
      changed: allFieldsAt(version),
    }
    const saved = { isReady: false, savedById: editor.id, savedBy: editor.name }
    await storeMemoCopy(tx, { ...copy, ...saved }, clock.now())
    await forgetDeleted(tx, deleted)
    const edited = { memo: id, edition: deleted.editionKey, version }
    await announce(tx, { type: 'saved', ...edited, by: toActor(editor) })
    return versionedReply({ id, edition: deleted.editionKey, isPublic: false, version })
  }

  /** Deletes a memo of an edition that readers never had. */
  async function removeUnread(
    tx: Db,
    by: Editor,
    { edition, memo }: { edition: EditionRow; memo: MemoRow },
  ): Promise<void> {
    const { id, position, version, createdAt } = memo
    const kept = { id, position, version, createdAt, fields: toMemoText(memo), wasPublic: false }
    await keepDeleted(tx, { ...kept, editionKey: keyOf(idOf(edition)), by, now: clock.now() })
    await memos.withdraw(tx, edition, memo)
  }

  return { bringBackPrivate, removeUnread }
}

function toDeletedMemo({ memoId, editionKey, fields, deletedAt, deletedBy }: DeletedMemoRow) {
  return { ...fields, id: memoId, edition: editionKey, deletedAt: deletedAt.toISOString(), deletedBy }
}

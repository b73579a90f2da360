import {
  type EditionId,
  type EditionRow,
  getEditionId,
  idOf,
  keyOf,
  type Publishing,
} from '#features/editions/index.ts'
import {
  fail as failMemo,
  findMemo,
  listMemos,
  type MemoService,
  memoFields,
  moveToEdition,
  toDeskMemo,
  toMemoText,
} from '#features/memos/index.ts'
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
import { placeMemoCopy, storeMemoCopy } from '../writing/working-copies.repository.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'siteLanguage' | 'clock'> & {
  publishing: Publishing
  memos: MemoService
}

const keptMs = 30 * 24 * 3_600_000

export type EditionMemos = ReturnType<typeof createEditionMemos>

/** Lets editors order the memos of an edition, and undo the deletion of one. */
export function createEditionMemos({ database, changes, publishing, memos, siteLanguage, clock }: Deps) {
  async function findEdition(tx: Db, id: EditionId): Promise<EditionRow> {
    const edition = await publishing.find(tx, id)
    if (edition === null) throw fail('edition-not-found', keyOf(id))
    return edition
  }

  /** Stores the order of all memos: positions of those that readers have, places of the others. */
  async function storeOrder(tx: Db, edition: EditionRow, ids: readonly string[]): Promise<EditionRow> {
    const isPublic = new Set((await listMemos(tx, edition.id)).map(({ id }) => id))
    for (const [index, id] of ids.entries()) if (!isPublic.has(id)) await placeMemoCopy(tx, id, index + 1)
    return await memos.reorder(
      tx,
      edition,
      ids.filter((id) => isPublic.has(id)),
    )
  }

  /** Brings a memo back that readers of its published edition never had. */
  async function bringBackPrivate(
    tx: Db,
    editor: Editor,
    { deleted, edition, place }: { deleted: DeletedMemoRow; edition: EditionRow; place: number },
  ): Promise<DeskReply> {
    const { memoId: id, fields, version: last } = deleted
    const version = last + 1
    const copy = { id, editionId: edition.id, place, baseVersion: 0, version, fields, changed: {} }
    const saved = { isReady: false, savedById: editor.id, savedBy: editor.name }
    await storeMemoCopy(tx, { ...copy, ...saved }, clock.now())
    await forgetDeleted(tx, deleted)
    const edited = { memo: id, edition: deleted.editionKey, version }
    await announce(tx, { type: 'saved', ...edited, by: toActor(editor) })
    return versionedReply({ id, edition: deleted.editionKey, isPublic: false, version })
  }

  return {
    /** Sets the order. Throws `order-conflict` unless `version` is the order's, and `ids` are all memos. */
    async reorder(
      requester: Requester,
      id: EditionId,
      { ids, version }: { ids: readonly string[]; version: number | null },
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await findEdition(tx, id)
        requireScopeFor(requester.editor, edition.status)
        if (version === null) throw fail('version-required')
        const current = await listOrder(tx, edition.id)
        const isSame = ids.length === current.length && current.every((each) => ids.includes(each))
        if (version !== edition.orderVersion || !isSame) throw fail('order-conflict', current)
        if (ids.join() === current.join()) return orderReply(edition, current)
        const stored = await storeOrder(tx, edition, ids)
        await audit('edition.order', keyOf(id), { from: current, to: ids })
        await announceEdition(tx, stored, requester.editor)
        return orderReply(stored, ids)
      })
    },

    /** Moves a memo of a draft to another draft. Throws `memo-not-movable` once readers have one of the editions. */
    async move(
      requester: Requester,
      memoId: string,
      { key, position, version }: { key: string; position: number | undefined; version: number | null },
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const target = await findEdition(tx, getEditionId(key))
        const memo = await findMemo(tx, memoId)
        if (memo === null) throw failMemo('memo-not-found')
        const source = await findEdition(tx, idOf(memo.edition))
        requireVersion(version, memo.version)
        for (const edition of [source, target]) {
          requireScopeFor(requester.editor, edition.status)
          if (edition.status === 'published') throw fail('memo-not-movable')
        }
        const stored = await moveToEdition(tx, { memo, target, position })
        for (const edition of [source, target]) await publishing.touch(tx, edition, { isOrder: true })
        const details = { memo: memoId, title: memo.title, from: keyOf(idOf(source)), to: key }
        for (const edition of [source, target]) await audit('memo.move', keyOf(idOf(edition)), details)
        for (const edition of [source, target]) await announceEdition(tx, edition, requester.editor)
        return versionedReply(toDeskMemo(stored, target))
      })
    },

    /** Deletes an edition that readers never had. Its memos can be brought back. Throws `edition-was-public`. */
    async remove(requester: Requester, id: EditionId, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await findEdition(tx, id)
        requireVersion(version, edition.version)
        requireScopeFor(requester.editor, edition.status)
        const rows = await listMemos(tx, edition.id)
        for (const memo of rows.toReversed()) {
          const { id: memoId, position, version: last, createdAt } = memo
          const kept = { id: memoId, position, version: last, createdAt, fields: toMemoText(memo) }
          const wasPublic = false
          await keepDeleted(tx, {
            ...kept,
            wasPublic,
            editionKey: keyOf(id),
            by: requester.editor,
            now: clock.now(),
          })
          await memos.withdraw(tx, edition, memo)
        }
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
        const content = { ...columns, id: memoId, createdAt, version: deleted.version + 1 }
        const memo = await memos.add(tx, edition, content, { position, by })
        await forgetDeleted(tx, deleted)
        await audit('memo.undelete', deleted.editionKey, { memo: memoId, title: memo.title })
        const saved = { memo: memoId, edition: deleted.editionKey, version: memo.version }
        await announce(tx, { type: 'saved', ...saved, by: toActor(by) })
        const { id: restored, version } = memo
        const isPublic = edition.status === 'published'
        return versionedReply({ id: restored, edition: deleted.editionKey, isPublic, version })
      })
    },

    /** Deletes for good what was deleted 30 days ago. */
    async removeOld(): Promise<void> {
      await removeDeletedBefore(database.db, new Date(clock.now().getTime() - keptMs))
    },

    /** Publishes an edition again that was withdrawn, as it was. Throws `edition-not-withdrawn`. */
    async undoWithdrawal(requester: Requester, id: EditionId): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await findEdition(tx, id)
        const stored = await publishing.undoWithdrawal(tx, edition)
        await audit('edition.undo-withdrawal', keyOf(id), { from: 'draft', to: 'published' })
        await announceEdition(tx, stored, requester.editor)
        return replyWith({ key: keyOf(id), status: stored.status, version: stored.version })
      })
    },
  }
}

function orderReply({ orderVersion: version }: EditionRow, ids: readonly string[]): DeskReply {
  const order: { version: number; ids: readonly string[] } = { version, ids }
  return versionedReply(order)
}

function toDeletedMemo({ memoId, editionKey, fields, deletedAt, deletedBy }: DeletedMemoRow) {
  return { ...fields, id: memoId, edition: editionKey, deletedAt: deletedAt.toISOString(), deletedBy }
}

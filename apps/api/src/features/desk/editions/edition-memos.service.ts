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
  moveToEdition,
  toDeskMemo,
} from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, versionedReply } from '../desk-reply.ts'
import { announceEdition } from '../events/announce.ts'
import { requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { listOrder } from '../writing/memo-state.ts'
import { placeMemoCopy } from '../writing/working-copies.repository.ts'
import { getLocked } from './locked-edition.ts'

type Deps = Pick<DeskDeps, 'changes'> & {
  publishing: Publishing
  memos: MemoService
}

export type EditionMemos = ReturnType<typeof createEditionMemos>

/** Lets editors order the memos of an edition and move one to another edition. */
export function createEditionMemos({ changes, publishing, memos }: Deps) {
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

  return {
    /** Sets the order. Throws `order-conflict` unless `version` is the order's, and `ids` are all memos. */
    async reorder(
      requester: Requester,
      id: EditionId,
      { ids, version }: { ids: readonly string[]; version: number | null },
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const edition = await getLocked(publishing, tx, id)
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
        const target = await getLocked(publishing, tx, getEditionId(key))
        const memo = await findMemo(tx, memoId)
        if (memo === null) throw failMemo('memo-not-found')
        const source = await getLocked(publishing, tx, idOf(memo.edition))
        const current = toDeskMemo(memo, source)
        requireVersion(version, memo.version, { by: current.savedBy, reply: { current } })
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
  }
}

function orderReply({ orderVersion: version }: EditionRow, ids: readonly string[]): DeskReply {
  const order: { version: number; ids: readonly string[] } = { version, ids }
  return versionedReply(order)
}

import { type EditionId, type EditionRow, keyOf, type Publishing } from '#features/editions/index.ts'
import type { MemoService } from '#features/memos/index.ts'
import { orderAction } from '../changes/changes.repository.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, versionedReply } from '../desk-reply.ts'
import { announceEdition } from '../events/announce.ts'
import { requireScopeFor } from '../requests/editor.ts'
import type { Requester } from '../requests/register-desk.ts'
import { listOrder } from '../writing/memo-state.ts'
import { getLocked } from './locked-edition.ts'
import { createMemoMoves } from './memo-moves.service.ts'
import { createOrderStore } from './stored-order.ts'

type Deps = Pick<DeskDeps, 'changes' | 'siteLanguage' | 'clock'> & {
  publishing: Publishing
  memos: MemoService
}

export type EditionMemos = ReturnType<typeof createEditionMemos>

/** Lets editors order the memos of an edition and move one to another edition. */
export function createEditionMemos(deps: Deps) {
  const { changes, publishing, memos } = deps
  const storeOrder = createOrderStore(memos)

  return {
    ...createMemoMoves(deps),

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
        await audit(orderAction, keyOf(id), { from: current, to: ids })
        await announceEdition(tx, stored, requester.editor)
        return orderReply(stored, ids)
      })
    },
  }
}

function orderReply({ orderVersion: version }: EditionRow, ids: readonly string[]): DeskReply {
  const order: { version: number; ids: readonly string[] } = { version, ids }
  return versionedReply(order)
}

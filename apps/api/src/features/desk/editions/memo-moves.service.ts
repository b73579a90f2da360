import { limits } from '@tidings/contracts/limits'
import {
  type EditionId,
  type EditionRow,
  findEditionById,
  getEditionId,
  idOf,
  keyOf,
  type Publishing,
} from '#features/editions/index.ts'
import { fail as failMemo, type MemoService, moveToEdition } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, versionedReply } from '../desk-reply.ts'
import { announceEdition } from '../events/announce.ts'
import { requireScope, requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { listOrder, type MemoState, readMemoState, readWorkingCopy } from '../writing/memo-state.ts'
import { joinEdition, leaveEdition } from '../writing/private-memos.ts'
import { placeMemoCopy } from '../writing/working-copies.repository.ts'
import { getLocked } from './locked-edition.ts'
import { createOrderStore } from './stored-order.ts'

type Deps = Pick<DeskDeps, 'changes' | 'siteLanguage' | 'clock'> & {
  publishing: Publishing
  memos: MemoService
}

/** Lets editors move memos to another edition. */
export function createMemoMoves({ changes, publishing, memos, siteLanguage, clock }: Deps) {
  const storeOrder = createOrderStore(memos)

  /** Locks a memo's edition and another one. Always in the same order, so that opposite moves don't wait for each other. */
  async function lockBoth(tx: Db, memoId: string, other: EditionId) {
    const own = idOf((await readMemoState(tx, memoId)).edition)
    const locked = new Map<string, EditionRow>()
    for (const id of [own, other].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))) {
      locked.set(keyOf(id), locked.get(keyOf(id)) ?? (await getLocked(publishing, tx, id)))
    }
    const { edition } = await readMemoState(tx, memoId)
    // Another move was faster.
    const source = locked.get(keyOf(idOf(edition))) ?? (await getLocked(publishing, tx, idOf(edition)))
    return { source, target: locked.get(keyOf(other)) ?? source }
  }

  /** Gives a memo to another edition, where readers don't have it either. */
  async function moveState(
    tx: Db,
    { id, edition: source, memo, copy }: MemoState,
    { target, place }: { target: EditionRow; place: number },
  ): Promise<void> {
    const isTargetPublic = target.status === 'published'
    if (memo === null) {
      if (copy === null) throw failMemo('memo-not-found')
      if (isTargetPublic) return await placeMemoCopy(tx, id, place, target.id)
      const by = copy.savedById === null ? null : { id: copy.savedById, name: copy.savedBy }
      await joinEdition(tx, { memos, siteLanguage }, { edition: target, copy, position: place, by })
      return
    }
    if (source.status === 'published') throw fail('memo-not-movable')
    if (!isTargetPublic) {
      await moveToEdition(tx, { memo, target, position: place })
      for (const edition of [source, target]) await publishing.touch(tx, edition, { isOrder: true })
      return
    }
    // Its likes are readers' and can't wait at the desk.
    if (memo.likeCount > 0) throw fail('memo-not-movable')
    await leaveEdition(tx, memos, { edition: source, memo, to: target, place }, clock.now())
  }

  return {
    /** Moves a memo that readers don't have to another edition. Throws `memo-not-movable` for one that they have. */
    async move(
      requester: Requester,
      memoId: string,
      { key, position, version }: { key: string; position: number | undefined; version: number | null },
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { source, target } = await lockBoth(tx, memoId, getEditionId(key))
        const state = await readMemoState(tx, memoId)
        requireVersion(version, state.version)
        const order = await listOrder(tx, target.id)
        if (source.id === target.id) {
          if (position !== undefined) await storeOrder(tx, target, placed(order, memoId, position))
          return await memoReply(tx, memoId)
        }
        for (const { status } of [source, target]) {
          // Readers of a published edition get nothing of the move.
          if (status === 'published') requireScope(requester.editor, 'write')
          else requireScopeFor(requester.editor, status)
        }
        if (order.length >= limits.memosPerEdition) throw failMemo('edition-full')
        await moveState(tx, state, {
          target,
          place: Math.min(position ?? order.length + 1, order.length + 1),
        })
        const details = { memo: memoId, title: state.text.title, from: keyOf(idOf(source)), to: key }
        for (const { id } of [source, target]) {
          const edition = await findEditionById(tx, id)
          if (edition === null) continue
          await audit('memo.move', keyOf(idOf(edition)), details)
          await announceEdition(tx, edition, requester.editor)
        }
        return await memoReply(tx, memoId)
      })
    },
  }
}

/** Returns an order in which a memo has another place. */
function placed(order: readonly string[], id: string, place: number): string[] {
  const others = order.filter((each) => each !== id)
  return others.toSpliced(place - 1, 0, id)
}

async function memoReply(db: Db, id: string): Promise<DeskReply> {
  return versionedReply(await readWorkingCopy(db, id))
}

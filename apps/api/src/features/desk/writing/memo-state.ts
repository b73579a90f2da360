import type { MemoText, WorkingCopy } from '@tidings/contracts/desk/memo-text'
import { type EditionRow, findEditionById, idOf, keyOf, lockEditionById } from '#features/editions/index.ts'
import {
  fail as failMemo,
  findEditionIdOf,
  findMemoRow,
  findMemosById,
  listMemoIds,
  type MemoRow,
  toMemoText,
} from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { fieldVersionsOf } from '#platform/text/field-versions.ts'
import { type TextState, writtenText } from './text-saves.ts'
import { findMemoCopies, findMemoCopy, listMemoCopies, type MemoCopy } from './working-copies.repository.ts'

/** A memo as people write it. Without `memo`, readers never had it; without `copy`, they have all of it. */
export type MemoState = TextState<MemoText> & {
  edition: EditionRow
  memo: MemoRow | null
  isReady: boolean
}

/** Reads a memo with its working copy. Throws `memo-not-found`. */
export async function readMemoState(db: Db, id: string, known?: EditionRow): Promise<MemoState> {
  const [memo, copy] = [await findMemoRow(db, id), await findMemoCopy(db, id)]
  const editionId = memo?.editionId ?? copy?.editionId ?? null
  const edition = editionId === known?.id ? known : await findEdition(db, editionId)
  return stateOf(id, edition, memo, copy)
}

/** Reads memos with their working copies, in the order of the ids. One that is gone is left out. */
export async function readMemoStates(db: Db, ids: readonly string[]): Promise<MemoState[]> {
  const [memos, copies] = [await findMemosById(db, ids), await findMemoCopies(db, ids)]
  return ids.flatMap((id) => {
    const memo = memos.find((each) => each.id === id) ?? null
    const own = copies.find((each) => each.copy.id === id) ?? null
    const edition = memo?.edition ?? own?.edition ?? null
    return edition === null ? [] : [stateOf(id, edition, memo, own?.copy ?? null)]
  })
}

/** Locks the memo's edition and reads the memo with its working copy. Throws `memo-not-found`. */
export async function lockMemoState(tx: Db, id: string): Promise<MemoState> {
  let editionId = (await findEditionIdOf(tx, id)) ?? (await findMemoCopy(tx, id))?.editionId ?? null
  for (;;) {
    const locked = editionId === null ? null : await lockEditionById(tx, editionId)
    if (locked === null) throw failMemo('memo-not-found')
    const state = await readMemoState(tx, id, locked)
    if (state.edition.id === locked.id) return state
    // It moved to another edition while this one waited for the lock.
    editionId = state.edition.id
  }
}

async function findEdition(db: Db, id: string | null): Promise<EditionRow> {
  const edition = id === null ? null : await findEditionById(db, id)
  if (edition === null) throw failMemo('memo-not-found')
  return edition
}

/** Puts a memo and its working copy together. Throws `memo-not-found` without both. */
export function stateOf(
  id: string,
  edition: EditionRow,
  memo: MemoRow | null,
  copy: MemoCopy | null,
): MemoState {
  if (memo === null) {
    if (copy === null) throw failMemo('memo-not-found')
    const { fields: text, changed: fieldVersions, version, isReady } = copy
    return { id, edition, memo, copy, text, fieldVersions, version, isReady }
  }
  return {
    id,
    edition,
    memo,
    copy,
    text: writtenText(toMemoText(memo), copy),
    fieldVersions: { ...fieldVersionsOf(memo.fieldVersions), ...copy?.changed },
    // A script may have changed another field since the working copy began.
    version: Math.max(copy?.version ?? 0, memo.version),
    isReady: copy?.isReady ?? memo.isReady,
  }
}

/**
 * Returns the ids of all memos of an edition in order. A memo that readers don't have stands at its place, counted among
 * all memos.
 */
export async function listOrder(db: Db, editionId: string): Promise<string[]> {
  const ids = await listMemoIds(db, editionId)
  for (const { id, place } of await listMemoCopies(db, editionId)) {
    if (place !== null) ids.splice(place - 1, 0, id)
  }
  return ids
}

/** Returns the working copies of an edition by place. */
export async function listWorkingCopies(db: Db, edition: EditionRow): Promise<WorkingCopy[]> {
  const copies = await listMemoCopies(db, edition.id)
  if (copies.length === 0) return []
  const order = await listOrder(db, edition.id)
  const all: WorkingCopy[] = []
  for (const copy of copies) {
    all.push(toWorkingCopy(stateOf(copy.id, edition, await findMemoRow(db, copy.id), copy), order))
  }
  return all.toSorted((a, b) => a.place - b.place)
}

/** Maps a memo to the working copy of the API. */
export function toWorkingCopy(state: MemoState, order: readonly string[]): WorkingCopy {
  const { id, edition, memo, copy, text, version, isReady } = state
  const last = copy?.version === version ? copy : memo
  return {
    ...text,
    id,
    edition: keyOf(idOf(edition)),
    place: order.indexOf(id) + 1,
    ready: isReady,
    isPublic: memo !== null && edition.status === 'published',
    changed: copy === null || memo === null ? [] : Object.keys(copy.changed),
    version,
    savedBy: last?.savedBy ?? '',
    savedAt: (last?.updatedAt ?? edition.updatedAt).toISOString(),
  }
}

/** Reads a memo as the API's working copy. Throws `memo-not-found`. */
export async function readWorkingCopy(db: Db, id: string): Promise<WorkingCopy> {
  const state = await readMemoState(db, id)
  return toWorkingCopy(state, await listOrder(db, state.edition.id))
}

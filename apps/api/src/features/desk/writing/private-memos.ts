import { memoText } from '@tidings/contracts/desk/memo-text'
import type { EditionRow } from '#features/editions/index.ts'
import { type MemoRow, type MemoService, memoFields, toMemoText } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import { fieldVersionsOf } from '#platform/text/field-versions.ts'
import { type MemoCopy, removeCopy, storeMemoCopy } from './working-copies.repository.ts'

type Joining = Pick<MemoCopy, 'id' | 'fields' | 'isReady' | 'changed' | 'version'>

/** Returns the versions of the fields of a memo of which it isn't known when each one changed. */
export function allFieldsAt(version: number): Record<string, number> {
  return Object.fromEntries(Object.keys(memoText.shape).map((name) => [name, version]))
}

/**
 * Adds a memo to an edition that had it only at the desk. Its versions go on, so that a save that is based on an earlier
 * one is still compared with what was saved since.
 */
export async function joinEdition(
  tx: Db,
  { memos, siteLanguage }: { memos: Pick<MemoService, 'add'>; siteLanguage: string },
  {
    edition,
    copy,
    position,
    by,
  }: {
    edition: EditionRow
    copy: Joining
    position: number | undefined
    by: { id: string; name: string } | null
  },
): Promise<MemoRow> {
  const { id, fields, isReady: ready, changed: fieldVersions, version } = copy
  await removeCopy(tx, id)
  const columns = mapDefined({ ...fields, ready }, memoFields(fields.language || siteLanguage))
  return await memos.add(
    tx,
    edition,
    { ...columns, id, version: version + 1, fieldVersions },
    { position, by },
  )
}

/** Takes a memo out of its edition, so that the edition `to` has it at the desk only, at a place among all memos. */
export async function leaveEdition(
  tx: Db,
  memos: Pick<MemoService, 'withdraw'>,
  { edition, memo, to, place }: { edition: EditionRow; memo: MemoRow; to: EditionRow; place: number },
  now: Date,
): Promise<void> {
  await memos.withdraw(tx, edition, memo)
  const { id, version, isReady, savedById, savedBy } = memo
  const fields = toMemoText(memo)
  const changed = fieldVersionsOf(memo.fieldVersions)
  const copy = { id, editionId: to.id, place, baseVersion: 0, version, fields, changed, isReady }
  await storeMemoCopy(tx, { ...copy, savedById, savedBy }, now)
}

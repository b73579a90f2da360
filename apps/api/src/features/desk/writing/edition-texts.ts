import { type EditionRow, idOf, keyOf } from '#features/editions/index.ts'
import { listMemos, type MemoService, memoFields, missingFields, toMemoText } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import { recordChange } from '../changes/changes.repository.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail, type IncompleteText } from '../desk.errors.ts'
import type { Editor } from '../requests/editor.ts'
import { joinEdition, leaveEdition } from './private-memos.ts'
import { changedFields } from './text-saves.ts'
import { addVersion } from './text-versions.repository.ts'
import { listMemoCopies, type MemoCopy, removeCopy } from './working-copies.repository.ts'

/** Returns the memos of an edition that readers can't get yet, in order. */
async function listIncomplete(db: Db, edition: EditionRow): Promise<IncompleteText[]> {
  return (await listMemos(db, edition.id))
    .map((memo) => ({ id: memo.id, place: memo.position, fields: missingFields(toMemoText(memo)) }))
    .filter(({ fields }) => fields.length > 0)
}

/** Throws `incomplete` if readers would miss something in an edition. */
export async function requireComplete(db: Db, edition: EditionRow): Promise<void> {
  const incomplete = await listIncomplete(db, edition)
  if (incomplete.length > 0) throw fail('incomplete', incomplete)
}

/** Records the texts of an edition that is published as versions. */
export async function recordPublished(
  tx: Db,
  edition: EditionRow,
  by: Editor | null,
  now: Date,
): Promise<void> {
  for (const memo of await listMemos(tx, edition.id))
    await addVersion(tx, { textId: memo.id, kind: 'published', fields: toMemoText(memo), by, now })
}

/**
 * Returns what takes the memos that lack a title or text out of an edition that is published at its time. They become memos
 * that readers don't have, and the audit log names them. `memosOf` is called later, because memos need what publishes.
 */
export function createLeaveOut(memosOf: () => Pick<MemoService, 'withdraw'>, clock: DeskDeps['clock']) {
  return async function leaveOutUnfinished(tx: Db, edition: EditionRow): Promise<void> {
    const incomplete = await listIncomplete(tx, edition)
    if (incomplete.length === 0) return
    const rows = (await listMemos(tx, edition.id)).toReversed()
    for (const memo of rows.filter(({ id }) => incomplete.some((each) => each.id === id))) {
      await leaveEdition(tx, memosOf(), { edition, memo, to: edition, place: memo.position }, clock.now())
    }
    const subject = keyOf(idOf(edition))
    await recordChange(tx, {
      editor: null,
      action: 'edition.leave-out',
      subject,
      details: { memos: incomplete },
    })
  }
}

/** Returns what gives an edition that becomes a draft the texts that readers didn't have: in a draft, the memo is the text. */
export function createBringIn({
  memos,
  siteLanguage,
}: Pick<DeskDeps, 'siteLanguage'> & { memos: MemoService }) {
  async function bring(tx: Db, edition: EditionRow, by: Editor, copy: MemoCopy): Promise<void> {
    const { id, place, isReady: ready, savedById, savedBy } = copy
    if (place !== null) {
      const saver = savedById === null ? null : { id: savedById, name: savedBy }
      await joinEdition(tx, { memos, siteLanguage }, { edition, copy, position: place, by: saver })
      return
    }
    await removeCopy(tx, id)
    const memo = (await listMemos(tx, edition.id)).find((each) => each.id === id)
    if (memo === undefined) return
    const fieldsOf = memoFields(copy.fields.language || siteLanguage)
    const columns = mapDefined<typeof fieldsOf>({ ...changedFields(copy), ready }, fieldsOf)
    const fields = Object.keys(copy.changed)
    const stamp = { by, fields, atLeast: copy.version, changedAt: copy.changed }
    await memos.change(tx, edition, memo, columns, stamp)
  }

  return async function bringIn(tx: Db, edition: EditionRow, by: Editor): Promise<void> {
    for (const copy of await listMemoCopies(tx, edition.id)) await bring(tx, edition, by, copy)
  }
}

import { memoText } from '@tidings/contracts/desk/memo-text'
import type { DeskMemo, MemoDraft } from '@tidings/contracts/desk/memos'
import { limits } from '@tidings/contracts/limits'
import { type EditionRow, idOf, keyOf } from '#features/editions/index.ts'
import {
  cleanMemoText,
  fail as failMemo,
  type MemoRow,
  missingFields,
  toMemoText,
} from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { announce, toActor } from '../events/announce.ts'
import type { Requester } from '../requests/register-desk.ts'
import { listOrder } from '../writing/memo-state.ts'
import { addVersion, recordSession } from '../writing/text-versions.repository.ts'
import { newMemoId, storeMemoCopy } from '../writing/working-copies.repository.ts'

type Deps = Pick<DeskDeps, 'media' | 'siteLanguage' | 'clock'>

/** Stores what editors write in memos, beside the memo itself. */
export function createMemoRecords({ media, siteLanguage, clock }: Deps) {
  /** Stores a memo that readers of a published edition don't have. Returns it as if it were public. */
  async function addPrivate(
    tx: Db,
    { editor }: Requester,
    edition: EditionRow,
    draft: MemoDraft,
  ): Promise<DeskMemo> {
    const order = await listOrder(tx, edition.id)
    if (order.length >= limits.memosPerEdition) throw failMemo('edition-full')
    const fields = memoText.parse({
      ...draft,
      ...cleanMemoText(memoText.parse(draft), draft.language || siteLanguage),
    })
    await media.require(tx, fields.media === '' ? null : fields.media)
    const place = Math.min(draft.position ?? order.length + 1, order.length + 1)
    const id = await newMemoId(tx)
    const copy = { id, editionId: edition.id, place, baseVersion: 0, version: 1, fields, changed: {} }
    const saved = { isReady: draft.ready, savedById: editor.id, savedBy: editor.name }
    const { createdAt } = await storeMemoCopy(tx, { ...copy, ...saved }, clock.now())
    await recordSession(tx, { textId: id, before: null, after: fields, by: editor, now: clock.now() })
    const by = toActor(editor)
    await announce(tx, { type: 'saved', memo: id, edition: keyOf(idOf(edition)), version: 1, by })
    const at = createdAt.toISOString()
    return {
      ...fields,
      id,
      edition: keyOf(idOf(edition)),
      position: place,
      ready: draft.ready,
      note: '',
      notedAt: null,
      counter: 0,
      version: 1,
      savedBy: editor.name,
      createdAt: at,
      updatedAt: at,
    }
  }

  /** Records a stored text among the versions. Throws `incomplete` if readers would miss something. */
  async function record(
    tx: Db,
    { editor: by }: Requester,
    { edition, memo, before }: { edition: EditionRow; memo: MemoRow; before?: MemoRow },
  ): Promise<void> {
    const fields = toMemoText(memo)
    const version = { textId: memo.id, by, now: clock.now() }
    if (edition.status !== 'published') {
      const earlier = before === undefined ? null : toMemoText(before)
      await recordSession(tx, { ...version, before: earlier, after: fields })
      return
    }
    const missing = missingFields(fields)
    const id = before === undefined ? null : memo.id
    if (missing.length > 0) throw fail('incomplete', [{ id, place: memo.position, fields: missing }])
    await addVersion(tx, { ...version, kind: 'published', fields })
  }

  return { addPrivate, record }
}

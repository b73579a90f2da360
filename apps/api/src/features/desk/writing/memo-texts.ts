import type { MemoSave } from '@tidings/contracts/desk/writing/writing'
import { type EditionRow, idOf, keyOf } from '#features/editions/index.ts'
import { type MemoService, memoFields } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import { fieldVersionsOf } from '#platform/text/field-versions.ts'
import type { Audit } from '../changes/changes.service.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { announce, toActor } from '../events/announce.ts'
import type { Requester } from '../requests/register-desk.ts'
import { compareSave, createMemoStore } from './memo-saves.ts'
import { listOrder, type MemoState, readMemoState, toWorkingCopy } from './memo-state.ts'
import { joinEdition } from './private-memos.ts'
import { changedFields, mergedFields, refuseClash } from './text-saves.ts'
import { addVersion, recordSession, type WrittenHow } from './text-versions.repository.ts'
import { type MemoCopy, removeCopy } from './working-copies.repository.ts'

export type MemoTextDeps = Pick<DeskDeps, 'database' | 'media' | 'siteLanguage' | 'clock'> & {
  memos: MemoService
  /** Plans the delivery of a memo that joins an edition, in the same transaction. */
  planMemo: (tx: Db, edition: EditionRow) => Promise<unknown>
}

/** Stores what people write in memos, and makes it public. The caller has locked the edition. */
export function createMemoTexts(deps: MemoTextDeps) {
  const { database, siteLanguage, clock, memos, planMemo } = deps
  const storeText = createMemoStore(deps)

  /** Stores a save, unless it changes nothing. Returns the memo and the fields that others saved meanwhile. */
  async function saveText(
    tx: Db,
    { editor }: Requester,
    state: MemoState,
    change: { save: MemoSave; read: number; audit: Audit; how: WrittenHow },
  ): Promise<{ saved: MemoState; merged: string[] }> {
    const comparison = compareSave(state, change.save, siteLanguage)
    const { text, fields, isReady } = comparison
    await refuseClash(state, fields, change.read, currentOf(tx, state))
    const subject = keyOf(idOf(state.edition))
    const isChanged = fields.length > 0 || isReady !== state.isReady
    const saved = isChanged ? await storeText(tx, editor, state, comparison) : state
    if (isChanged) {
      const { version } = saved
      await announce(tx, { type: 'saved', memo: state.id, edition: subject, version, by: toActor(editor) })
    }
    if (fields.length > 0) {
      const { how } = change
      const session = { textId: state.id, before: state.text, after: text, by: editor, now: clock.now(), how }
      const begins = await recordSession(tx, session)
      if (begins) await change.audit('memo.write', subject, { memo: state.id, title: text.title })
    }
    if (isReady !== state.isReady)
      await change.audit('memo.ready', subject, { memo: state.id, title: text.title, ready: isReady })
    return { saved, merged: mergedFields(state, fields, change.read) }
  }

  /** Makes a text public: a new memo of its edition, or a correction of one that readers have. */
  async function makePublic(
    tx: Db,
    { editor: by }: Requester,
    { state, copy, note }: { state: MemoState; copy: MemoCopy; note: string },
  ): Promise<void> {
    const { edition, memo, text, isReady } = state
    if (memo === null) {
      const position = (await listOrder(tx, edition.id)).indexOf(state.id) + 1
      await joinEdition(tx, { memos, siteLanguage }, { edition, copy, position, by })
      await planMemo(tx, edition)
      return
    }
    const fieldsOf = memoFields(text.language || siteLanguage)
    const fields = Object.keys(copy.changed)
    // A script may have corrected the same field since the working copy began.
    const publicState = { ...state, fieldVersions: fieldVersionsOf(memo.fieldVersions) }
    await refuseClash(publicState, fields, copy.baseVersion, currentOf(tx, state))
    await removeCopy(tx, state.id)
    const columns = mapDefined<typeof fieldsOf>({ ...changedFields(copy), ready: isReady }, fieldsOf)
    const noted = note === '' ? {} : { note, notedAt: clock.now() }
    const stamp = { by, fields, atLeast: copy.version, changedAt: copy.changed }
    await memos.change(tx, edition, memo, { ...columns, ...noted }, stamp)
  }

  /** Keeps a text that was refused, so that it is found among the versions. */
  async function keepRefused({ editor: by }: Requester, id: string, save: MemoSave): Promise<void> {
    await database.transaction(async (tx) => {
      const { text } = compareSave(await readMemoState(tx, id), save, siteLanguage)
      await addVersion(tx, { textId: id, kind: 'refused', fields: text, by, now: clock.now() })
    })
  }

  return { saveText, makePublic, keepRefused }
}

/** Returns what reads the memo for the reply to a clash. */
function currentOf(tx: Db, state: MemoState) {
  return async () => toWorkingCopy(state, await listOrder(tx, state.edition.id))
}

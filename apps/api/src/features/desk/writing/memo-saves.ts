import type { MemoText } from '@tidings/contracts/desk/memo-text'
import type { MemoSave } from '@tidings/contracts/desk/writing/writing'
import { cleanMemoText, type MemoService, memoFields } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import type { Editor } from '../requests/editor.ts'
import { differingFields } from './compare-texts.ts'
import type { MemoState } from './memo-state.ts'
import { changedCopy, pick } from './text-saves.ts'
import { storeMemoCopy } from './working-copies.repository.ts'

type Deps = Pick<DeskDeps, 'media' | 'siteLanguage' | 'clock'> & { memos: MemoService }

/** A save compared with the memo: its text as stored, and the fields that differ. */
export type Comparison = { text: MemoText; fields: string[]; isReady: boolean }

/** Compares a save with a memo. HTML is cleaned first. */
export function compareSave(state: MemoState, save: MemoSave, siteLanguage: string): Comparison {
  const { ready = state.isReady, ...given } = save
  const language = (given.language ?? state.text.language) || siteLanguage
  const text = { ...state.text, ...cleanMemoText(given, language) }
  return { text, fields: differingFields(state.text, text), isReady: ready }
}

/** Returns what stores the text of a save. */
export function createMemoStore({ media, siteLanguage, clock, memos }: Deps) {
  /** Changes the memo itself, or its working copy while readers have its edition. */
  return async function storeText(
    tx: Db,
    by: Editor,
    state: MemoState,
    { text, fields, isReady }: Comparison,
  ): Promise<void> {
    const { edition, memo, copy } = state
    await media.require(tx, text.media === '' ? null : text.media)
    if (edition.status !== 'published' && memo !== null) {
      const fieldsOf = memoFields(text.language || siteLanguage)
      const columns = mapDefined<typeof fieldsOf>(pick(text, fields), fieldsOf)
      const named = isReady === state.isReady ? fields : [...fields, 'ready']
      await memos.change(tx, edition, memo, { ...columns, isReady }, { by, fields: named })
      return
    }
    const isPrivate = memo === null
    const place = isPrivate ? (copy?.place ?? 1) : null
    const baseVersion = isPrivate ? 0 : (copy?.baseVersion ?? state.version)
    const changed = changedCopy(state, { text, fields }, by)
    await storeMemoCopy(tx, { ...changed, editionId: edition.id, place, baseVersion, isReady }, clock.now())
  }
}

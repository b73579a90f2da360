import { isDeepStrictEqual } from 'node:util'
import type { MemoText } from '@tidings/contracts/desk/memo-text'
import type { MemoSave } from '@tidings/contracts/desk/writing/writing'
import { cleanMemoText, type MemoService, memoFields } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import type { Editor } from '../requests/editor.ts'
import { listOrder, type MemoState, toWorkingCopy } from './memo-state.ts'
import { storeMemoCopy } from './working-copies.repository.ts'

type Deps = Pick<DeskDeps, 'media' | 'siteLanguage' | 'clock'> & { memos: MemoService }

/** A save compared with the memo: its text as stored, and the fields that differ. */
export type Comparison = { text: MemoText; fields: string[]; isReady: boolean }

const textNames = [
  'title',
  'memo_content',
  'source',
  'media',
  'media_title',
  'media_alt',
  'media_focus',
  'media_text',
  'language',
] as const satisfies readonly (keyof MemoText)[]

/** Returns the versions of the fields of a text of which it isn't known when each one changed. */
export function allFieldsAt(version: number): Record<string, number> {
  return Object.fromEntries(textNames.map((name) => [name, version]))
}

/** Returns the names of the fields in which two texts differ. */
export function differingFields(before: MemoText, after: MemoText): string[] {
  return textNames.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}

/** Compares a save with a memo. HTML is cleaned first. */
export function compareSave(state: MemoState, save: MemoSave, siteLanguage: string): Comparison {
  const { ready = state.isReady, ...given } = save
  const language = (given.language ?? state.text.language) || siteLanguage
  const text = { ...state.text, ...cleanMemoText(given, language) }
  return { text, fields: differingFields(state.text, text), isReady: ready }
}

/** Throws `version-conflict` if another text of one of the fields was saved after version `read`. */
export async function refuseClash(
  db: Db,
  state: MemoState,
  fields: readonly string[],
  read: number,
): Promise<void> {
  // A version that doesn't exist yet is from before a restore.
  const isUnknown = read > state.version
  const clashing = fields.filter((field) => isUnknown || (state.fieldVersions[field] ?? 1) > read)
  if (clashing.length === 0) return
  const current = toWorkingCopy(state, await listOrder(db, state.edition.id))
  throw fail('version-conflict', read, state.version, {
    by: current.savedBy,
    reply: { fields: clashing, current },
  })
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
      const changed = Object.fromEntries(Object.entries(text).filter(([name]) => fields.includes(name)))
      const columns = mapDefined<ReturnType<typeof memoFields>>(
        changed,
        memoFields(text.language || siteLanguage),
      )
      const named = isReady === state.isReady ? fields : [...fields, 'ready']
      await memos.change(tx, edition, memo, { ...columns, isReady }, { by, fields: named })
      return
    }
    const version = state.version + 1
    const isPrivate = memo === null
    await storeMemoCopy(
      tx,
      {
        id: state.id,
        editionId: edition.id,
        place: isPrivate ? (copy?.place ?? 1) : null,
        baseVersion: isPrivate ? 0 : (copy?.baseVersion ?? state.version),
        version,
        fields: text,
        changed: { ...copy?.changed, ...Object.fromEntries(fields.map((field) => [field, version])) },
        isReady,
        savedById: by.id,
        savedBy: by.name,
      },
      clock.now(),
    )
  }
}

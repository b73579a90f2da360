import type { QueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { WorkingCopy } from '@tidings/contracts/desk/memo-text'
import * as routes from '@tidings/contracts/desk/routes'
import type { MemoSave } from '@tidings/contracts/desk/writing/writing'
import { ApiError, call } from '#lib/api/call.ts'
import { currentTime, newId } from '#lib/browser/ambient.ts'
import { after } from '#lib/browser/timer.ts'
import type { SaveOutcome } from '#lib/saving/draft-state.ts'
import { forgetWords, keepWords } from '#lib/saving/local-copies.ts'
import { createTextDraft, type TextDraft } from '#lib/saving/text-draft.ts'
import { youQuery } from '#lib/you-query.ts'
import { isWorkingCopy, type MemoFields, storedMemo } from './memo-fields.ts'

export type MemoDraft = TextDraft<MemoFields>

type Drafts = Map<string, MemoDraft>

const draftsOf = new WeakMap<QueryClient, Drafts>()

/** Returns the draft of a memo. One that isn't saved yet lives on when its screen is left. */
export function openDraft(queryClient: QueryClient, copy: WorkingCopy): MemoDraft {
  const drafts = draftsOf.get(queryClient) ?? watchedDrafts(queryClient)
  const known = drafts.get(copy.id)
  if (known !== undefined) {
    known.receive(storedMemo(copy))
    return known
  }
  const draft = createDraft(queryClient, copy)
  drafts.set(copy.id, draft)
  return draft
}

/** Returns the draft of a memo that was open before; null for any other. */
export function findDraft(queryClient: QueryClient, id: string): MemoDraft | null {
  return draftsOf.get(queryClient)?.get(id) ?? null
}

/** Saves a draft that is left. */
export async function leaveDraft(draft: MemoDraft): Promise<void> {
  draft.focus(null)
  await draft.flush()
}

/** Creates the drafts of a desk, which go on when the connection or the person is back. */
function watchedDrafts(queryClient: QueryClient): Drafts {
  const drafts: Drafts = new Map()
  draftsOf.set(queryClient, drafts)
  queryClient.getQueryCache().subscribe(({ query }) => {
    const isYou = query.queryKey.length === 1 && query.queryKey[0] === youQuery.queryKey[0]
    if (!isYou || query.state.data === null || query.state.data === undefined) return
    for (const draft of drafts.values()) void draft.resume()
  })
  const saveAll = () => {
    for (const draft of drafts.values()) void draft.flush()
  }
  window.addEventListener('online', saveAll)
  window.addEventListener('pagehide', saveAll)
  document.addEventListener('visibilitychange', saveAll)
  return drafts
}

function createDraft(queryClient: QueryClient, copy: WorkingCopy): MemoDraft {
  const { id } = copy
  return createTextDraft<MemoFields>(storedMemo(copy), {
    async save(change, { version, key }) {
      const { outcome, saved } = await save(id, change, { ifMatch: version, idempotencyKey: key })
      if (saved !== null) showSaved(queryClient, saved)
      return outcome
    },
    keep: (words) => keepWords(id, words),
    forget: () => forgetWords(id),
    after,
    now: currentTime,
    newId,
    onSessionEnd: () => queryClient.setQueryData(youQuery.queryKey, null),
  })
}

type Saved = { outcome: SaveOutcome<MemoFields>; saved: WorkingCopy | null }

async function save(
  id: string,
  body: MemoSave,
  options: { ifMatch: number; idempotencyKey: string },
): Promise<Saved> {
  try {
    const { data } = await call(routes.saveWorkingCopy, { params: { id }, body }, options)
    return { outcome: { kind: 'saved', stored: storedMemo(data) }, saved: data }
  } catch (error) {
    return { outcome: outcomeOf(error), saved: null }
  }
}

function outcomeOf(error: unknown): SaveOutcome<MemoFields> {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429)
    return { kind: 'unreachable' }
  if (error.status === 401) return { kind: 'signed-out' }
  return conflictOf(error) ?? { kind: 'refused', message: error.message }
}

function conflictOf({ code, body }: ApiError): SaveOutcome<MemoFields> | null {
  if (code !== 'version-conflict' || typeof body !== 'object' || body === null || !('error' in body))
    return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('fields' in error) || !('current' in error))
    return null
  if (!Array.isArray(error.fields) || !isWorkingCopy(error.current)) return null
  return { kind: 'conflict', fields: error.fields.map(String), stored: storedMemo(error.current) }
}

/** Shows a saved memo in the lists, without reading them again. */
function showSaved(queryClient: QueryClient, copy: WorkingCopy): void {
  queryClient.setQueryData(['working-copy', copy.id], copy)
  queryClient.setQueryData<DeskEdition | null>(['edition', copy.edition], (edition) => {
    if (edition === null || edition === undefined) return edition
    const { title, memo_content, media, media_alt, ready, version } = copy
    if (edition.status !== 'published') {
      const shown = { title, memo_content, media, media_alt, ready, version }
      return {
        ...edition,
        memos: edition.memos.map((memo) => (memo.id === copy.id ? { ...memo, ...shown } : memo)),
      }
    }
    const others = edition.workingCopies.filter(({ id }) => id !== copy.id)
    return { ...edition, workingCopies: [...others, copy].toSorted((a, b) => a.place - b.place) }
  })
  void queryClient.invalidateQueries({ queryKey: ['editions'], refetchType: 'none' })
}

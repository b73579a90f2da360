import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/api/call.ts'
import { currentTime, newId } from '#lib/browser/ambient.ts'
import { after } from '#lib/browser/timer.ts'
import type { SaveOutcome } from '#lib/saving/draft-state.ts'
import { forgetWords, keepWords } from '#lib/saving/local-copies.ts'
import { createTextDraft, type TextDraft } from '#lib/saving/text-draft.ts'
import type { Stored } from '#lib/saving/text-fields.ts'
import { youQuery } from '#lib/you-query.ts'

/** Texts of one kind: how the server stores them, and what follows a save. */
export type TextKind<Copy extends { id: string }, Text extends object> = {
  stored: (copy: Copy) => Stored<Text>
  isCopy: (value: unknown) => value is Copy
  save: (
    id: string,
    change: Partial<Text>,
    options: { ifMatch: number; idempotencyKey: string },
  ) => Promise<Copy & { merged: readonly string[] }>
  onSaved: (queryClient: QueryClient, copy: Copy) => void
}

/** Opens the drafts of one kind of text. */
export type TextDrafts<Copy, Text extends object> = {
  open: (queryClient: QueryClient, copy: Copy) => TextDraft<Text>
  /** Returns the draft of a text that was open before; undefined for any other. */
  find: (queryClient: QueryClient, id: string) => TextDraft<Text> | undefined
}

/** Creates the drafts of a kind of text. One that isn't saved yet lives on when its screen is left. */
export function createTextDrafts<Copy extends { id: string }, Text extends object>(
  kind: TextKind<Copy, Text>,
): TextDrafts<Copy, Text> {
  const draftsOf = new WeakMap<QueryClient, Map<string, TextDraft<Text>>>()

  function known(queryClient: QueryClient): Map<string, TextDraft<Text>> {
    const drafts = draftsOf.get(queryClient) ?? new Map<string, TextDraft<Text>>()
    if (!draftsOf.has(queryClient)) {
      draftsOf.set(queryClient, drafts)
      watch(queryClient, drafts)
    }
    return drafts
  }

  return {
    open(queryClient, copy) {
      const drafts = known(queryClient)
      const draft = drafts.get(copy.id)
      if (draft !== undefined) {
        draft.receive(kind.stored(copy))
        return draft
      }
      const created = createDraft(kind, queryClient, copy)
      drafts.set(copy.id, created)
      return created
    },
    find: (queryClient, id) => draftsOf.get(queryClient)?.get(id),
  }
}

/** Returns the newer copy of a text. The reply to a repeated save may be older than what was read meanwhile. */
export function newerOf<Copy extends { version: number }>(known: Copy | undefined, copy: Copy): Copy {
  return known !== undefined && known.version > copy.version ? known : copy
}

/** Saves a draft that is left. */
export async function leaveDraft(draft: Pick<TextDraft<object>, 'focus' | 'flush'>): Promise<void> {
  draft.focus(null)
  await draft.flush()
}

/** Lets drafts go on when the connection or the person is back. */
function watch(
  queryClient: QueryClient,
  drafts: ReadonlyMap<string, Pick<TextDraft<object>, 'flush' | 'resume'>>,
): void {
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
}

function createDraft<Copy extends { id: string }, Text extends object>(
  kind: TextKind<Copy, Text>,
  queryClient: QueryClient,
  copy: Copy,
): TextDraft<Text> {
  const { id } = copy
  return createTextDraft<Text>(kind.stored(copy), {
    async save(change, { version, key }) {
      try {
        const saved = await kind.save(id, change, { ifMatch: version, idempotencyKey: key })
        kind.onSaved(queryClient, saved)
        return { kind: 'saved', stored: kind.stored(saved), merged: saved.merged }
      } catch (error) {
        return outcomeOf(kind, error)
      }
    },
    keep: (words) => keepWords(id, words),
    forget: () => forgetWords(id),
    after,
    now: currentTime,
    newId,
    onSessionEnd: () => queryClient.setQueryData(youQuery.queryKey, null),
  })
}

function outcomeOf<Copy extends { id: string }, Text extends object>(
  kind: TextKind<Copy, Text>,
  error: unknown,
): SaveOutcome<Text> {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429)
    return { kind: 'unreachable' }
  if (error.status === 401) return { kind: 'signed-out' }
  return conflictOf(kind, error) ?? { kind: 'refused', message: error.message }
}

function conflictOf<Copy extends { id: string }, Text extends object>(
  { isCopy, stored }: TextKind<Copy, Text>,
  { code, body }: ApiError,
): SaveOutcome<Text> | null {
  if (code !== 'version-conflict' || typeof body !== 'object' || body === null || !('error' in body))
    return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('fields' in error) || !('current' in error))
    return null
  if (!Array.isArray(error.fields) || !isCopy(error.current)) return null
  return { kind: 'conflict', fields: error.fields.map(String), stored: stored(error.current) }
}

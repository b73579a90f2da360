import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { MemoText, WorkingCopy } from '@tidings/contracts/desk/memo-text'
import type { DeskMemo } from '@tidings/contracts/desk/memos'
import * as routes from '@tidings/contracts/desk/routes'
import type { CheckedLink } from '@tidings/contracts/desk/writing/readiness'
import { formatIsoDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { call } from '#lib/api/call.ts'

/** An edition with its memos; null before anyone has started it. */
export function editionQuery(key: string) {
  return queryOptions({
    queryKey: ['edition', key],
    async queryFn({ signal, client, queryKey }): Promise<DeskEdition | null> {
      const isKnown = client.getQueryData(queryKey) !== undefined && client.getQueryData(queryKey) !== null
      if (!isKnown && !(await isStarted(key, signal))) return null
      return (await call(routes.getEdition, { params: { key } }, { signal })).data
    },
    refetchInterval: 15_000,
  })
}

/** Takes a memo that is gone out of its edition as it was read, so that no list leads back to it. */
export function forgetMemo(queryClient: QueryClient, key: string, id: string): void {
  const others = <Memo extends { id: string }>(memos: readonly Memo[]) =>
    memos.filter((memo) => memo.id !== id)
  queryClient.setQueryData(
    editionQuery(key).queryKey,
    (edition) =>
      edition && {
        ...edition,
        memos: others(edition.memos),
        workingCopies: others(edition.workingCopies),
      },
  )
}

async function isStarted(key: string, signal: AbortSignal): Promise<boolean> {
  const date = parseEditionKey(key)?.date
  if (date === undefined) return false
  const day = formatIsoDate(date)
  const { data } = await call(routes.listEditions, { query: { from: day, to: day } }, { signal })
  return data.some((edition) => edition.key === key)
}

// Memos that were read stay readable when the connection is away for a while.
const keptMs = 3_600_000

/** A memo as people write it. */
export function memoQuery(id: string) {
  return queryOptions({
    queryKey: ['working-copy', id],
    async queryFn({ signal }): Promise<WorkingCopy> {
      return (await call(routes.getWorkingCopy, { params: { id } }, { signal })).data
    },
    staleTime: 0,
    gcTime: keptMs,
    refetchInterval: 10_000,
  })
}

/** Starts an edition that doesn’t exist yet. */
export async function startEdition(key: string): Promise<DeskEdition> {
  return (await call(routes.putEdition, { params: { key }, body: { status: 'draft' } })).data
}

/** Takes a scheduled or held edition back. `version` is the one that the person saw. */
export async function backToDraft({ key, version }: DeskEdition): Promise<void> {
  await call(routes.putEdition, { params: { key }, body: { status: 'draft' } }, { ifMatch: version })
}

/** Adds a memo, at the end without a place. Readers of a published edition don't get it before it is published. */
export async function addMemo(
  key: string,
  memo: Partial<MemoText> & { position?: number },
): Promise<DeskMemo> {
  return (await call(routes.addMemo, { params: { key }, body: memo })).data
}

/** Returns the ids of all memos of an edition in order, also of those that readers don't have. */
export function orderOf({ memos, workingCopies }: DeskEdition): string[] {
  const ids = memos.toSorted((a, b) => a.position - b.position).map(({ id }) => id)
  for (const { id, place } of workingCopies) if (!ids.includes(id)) ids.splice(place - 1, 0, id)
  return ids
}

/** Deletes a memo that readers don't have. `isPrivate` is one that was added to a published edition. */
export async function deleteMemo(
  id: string,
  { version, isPrivate }: { version: number; isPrivate: boolean },
) {
  const route = isPrivate ? routes.discardWorkingCopy : routes.deleteMemo
  await call(route, { params: { id } }, { ifMatch: version })
}

/** Brings a deleted memo back to its place. */
export async function restoreMemo(id: string): Promise<void> {
  await call(routes.restoreDeletedMemo, { params: { id } })
}

/** Moves a memo to a place in another edition; without one, to the end. */
export async function moveToEdition(
  id: string,
  to: { edition: string; position?: number },
  version: number,
): Promise<WorkingCopy> {
  return (await call(routes.moveMemo, { params: { id }, body: to }, { ifMatch: version })).data
}

/** Gives readers the changes of a memo, or a memo that they don't have. */
export async function publishMemo(
  id: string,
  { version, note }: { version: number; note: string },
): Promise<WorkingCopy> {
  const input = { params: { id }, body: { note } }
  return (await call(routes.publishWorkingCopy, input, { ifMatch: version })).data
}

/** Drops the changes of a public memo. Returns the text that readers have. */
export async function discardChanges(id: string, version: number): Promise<WorkingCopy> {
  await call(routes.discardWorkingCopy, { params: { id } }, { ifMatch: version })
  return (await call(routes.getWorkingCopy, { params: { id } })).data
}

/** Marks memos of a draft as ready, one after the other. */
export async function markAllReady(memos: readonly { id: string; version: number }[]): Promise<void> {
  for (const { id, version } of memos) {
    await call(routes.saveWorkingCopy, { params: { id }, body: { ready: true } }, { ifMatch: version })
  }
}

/** Asks where a link leads; at most ten minutes ago. */
export function linkQuery(url: string) {
  return queryOptions({
    queryKey: ['link', url],
    async queryFn({ signal }): Promise<CheckedLink> {
      return (await call(routes.checkLink, { body: { url } }, { signal })).data
    },
    retry: false,
    staleTime: 600_000,
  })
}

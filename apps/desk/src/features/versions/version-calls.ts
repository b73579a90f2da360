import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import type { TextComparison, TextVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { call } from '#lib/api/call.ts'

/** The kinds of texts that have versions. */
export type TextKind = 'memo' | 'article'

/** A text as it is written now. */
export type WrittenNow = {
  title: string
  version: number
  savedBy: string
  savedAt: string
  isPublic: boolean
  changed: string[]
}

type Page = { data: TextVersionSummary[]; next: string | null }
type Signal = { signal: AbortSignal }

type Calls = {
  list: (id: string, after: string | undefined, signal: Signal) => Promise<Page>
  read: (id: string, version: string, signal: Signal) => Promise<{ fields: object }>
  compare: (id: string, version: string, later: string | undefined, signal: Signal) => Promise<TextComparison>
  now: (id: string, signal: Signal) => Promise<WrittenNow>
  restore: (id: string, version: string, ifMatch: number) => Promise<WrittenNow & { id: string }>
  /** The key under which the screen of the text reads it. */
  copyKey: (id: string) => readonly string[]
}

const limit = 50

const callsOf: Record<TextKind, Calls> = {
  memo: {
    list: (id, after, options) =>
      call(routes.listMemoVersions, { params: { id }, query: { limit, after } }, options),
    read: async (id, version, options) =>
      (await call(routes.getMemoVersion, { params: { id, version } }, options)).data,
    compare: async (id, version, later, options) =>
      (await call(routes.compareMemoVersions, { params: { id, version }, query: { with: later } }, options))
        .data,
    now: async (id, options) => (await call(routes.getWorkingCopy, { params: { id } }, options)).data,
    restore: async (id, version, ifMatch) =>
      (await call(routes.restoreMemoVersion, { params: { id, version } }, { ifMatch })).data,
    copyKey: (id) => ['working-copy', id],
  },
  article: {
    list: (id, after, options) =>
      call(routes.listArticleVersions, { params: { id }, query: { limit, after } }, options),
    read: async (id, version, options) =>
      (await call(routes.getArticleVersion, { params: { id, version } }, options)).data,
    compare: async (id, version, later, options) =>
      (
        await call(
          routes.compareArticleVersions,
          { params: { id, version }, query: { with: later } },
          options,
        )
      ).data,
    now: async (id, options) => (await call(routes.getArticleCopy, { params: { id } }, options)).data,
    restore: async (id, version, ifMatch) =>
      (await call(routes.restoreArticleVersion, { params: { id, version } }, { ifMatch })).data,
    copyKey: (id) => ['articles', 'copy', id],
  },
}

const first: string | undefined = undefined

/** The key of all that is read of the versions of a text. */
export function versionsKey(kind: TextKind, id: string) {
  return ['versions', kind, id] as const
}

/** The versions of a text, page by page, newest first. */
export function versionPages(kind: TextKind, id: string) {
  return infiniteQueryOptions({
    queryKey: [...versionsKey(kind, id), 'list'],
    queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      callsOf[kind].list(id, pageParam, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** A text as it is written now. */
export function writtenNowQuery(kind: TextKind, id: string) {
  return queryOptions({
    queryKey: [...versionsKey(kind, id), 'now'],
    queryFn: ({ signal }) => callsOf[kind].now(id, { signal }),
  })
}

/** The fields of a version. They never change. */
export function versionQuery(kind: TextKind, id: string, version: string) {
  return queryOptions({
    queryKey: [...versionsKey(kind, id), 'version', version],
    queryFn: ({ signal }) => callsOf[kind].read(id, version, { signal }),
  })
}

/** What differs between a version and a later one, or the text as it is written now. */
export function comparisonQuery(kind: TextKind, id: string, version: string, later: string | undefined) {
  return queryOptions({
    queryKey: [...versionsKey(kind, id), 'comparison', version, later ?? 'now'],
    queryFn: ({ signal }) => callsOf[kind].compare(id, version, later, { signal }),
  })
}

/** Makes a new version of an old one. Returns the text, and the key under which its own screen reads it. */
export async function restoreVersion(
  kind: TextKind,
  { id, version, ifMatch }: { id: string; version: string; ifMatch: number },
) {
  const { restore, copyKey } = callsOf[kind]
  return { copy: await restore(id, version, ifMatch), copyKey: copyKey(id) }
}

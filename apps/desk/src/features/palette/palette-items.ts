import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { FoundMemo } from '@tidings/contracts/desk/memos'
import { parseEditionKey } from '@tidings/contracts/edition-key'
import { useDeskConfig, useYou, useZones } from '#lib/desk-context.ts'
import { editionPath } from '#lib/desk-paths.ts'
import { peopleQuery } from '#lib/people-query.ts'
import { screensFor } from '#lib/screens.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn, dayText } from '#lib/time/zoned-time.ts'
import { editionItems, type PlaceItem } from './edition-items.ts'
import { matching } from './matching.ts'
import { foundArticles, foundMembers, foundMemos } from './palette-calls.ts'

const most = 6

/** Finds what can be opened: screens, editions, memos, articles, and people. */
export function usePlaces(words: string): { places: PlaceItem[]; isFinding: boolean; error: Error | null } {
  const router = useRouter()
  const { roles } = useYou()
  const { slots } = useDeskConfig()
  const { site } = useZones()
  const today = dayIn(useNow(), site)
  const hasArticles = '/articles/$id' in router.routesByPath
  const memos = useQuery(foundMemos(words))
  const articles = useQuery(foundArticles(words, hasArticles))
  const { data: people = [] } = useQuery(peopleQuery)
  const near = editionItems(words, { slots: slots.map(({ label }) => label), today })
  const open = [
    ...screensFor(roles, router).map(
      ({ name, path, keys }): PlaceItem => ({ id: `screen ${path}`, title: name, hint: '', path, keys }),
    ),
    { id: 'screen you', title: 'Your name, passkeys and keys', hint: '', path: '/you' },
    { id: 'screen log', title: 'Log', hint: 'who did what', path: '/people/log' },
  ]
  if (words === '')
    return { places: [...open, ...near.slice(0, slots.length)], isFinding: false, error: null }
  const workers = people.map(
    ({ id, name, roles: given }): PlaceItem => ({
      id: `person ${id}`,
      title: name,
      hint: given.join(', '),
      path: '/people',
    }),
  )
  const places = [
    ...matching(open, words),
    ...matching(near, words).slice(0, most),
    ...(memos.data ?? []).map(memoItem),
    ...(articles.data ?? []).map(
      ({ id, title, status }): PlaceItem => ({
        id: `article ${id}`,
        title: title === '' ? 'No title yet' : title,
        hint: status === 'draft' ? 'Article, draft' : 'Article',
        path: `/articles/${id}`,
      }),
    ),
    ...matching(workers, words).slice(0, most),
  ]
  const isFinding = memos.isFetching || articles.isFetching
  return { places, isFinding, error: memos.error ?? articles.error }
}

/** Finds members by name or address, once it was asked for. */
export function useMembers(words: string | null): {
  members: PlaceItem[]
  isFinding: boolean
  error: Error | null
} {
  const { data = [], isFetching, error } = useQuery(foundMembers(words))
  const members = data.map(
    ({ id, name, email }): PlaceItem => ({
      id: `member ${id}`,
      title: name ?? email,
      hint: email,
      path: `/members/${id}`,
    }),
  )
  return { members, isFinding: isFetching, error }
}

/** Returns whether a person can look for members here. */
export function useCanFindMembers(): boolean {
  const router = useRouter()
  const { roles } = useYou()
  return '/members/$id' in router.routesByPath && roles.some((role) => role === 'editor' || role === 'owner')
}

function memoItem({ id, title, edition, position, editionStatus }: FoundMemo): PlaceItem {
  const parsed = parseEditionKey(edition)
  const day =
    parsed === null
      ? edition
      : `${parsed.slot}, ${dayText(parsed.date, { weekday: 'short', month: 'short' })}`
  return {
    id: `memo ${id}`,
    title: title === '' ? 'No title yet' : title,
    hint: `${day}, memo ${position}${editionStatus === 'published' ? '' : `, ${editionStatus}`}`,
    path: editionPath(edition, id),
  }
}

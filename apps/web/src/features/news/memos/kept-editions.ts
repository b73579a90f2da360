import type { QueryClient } from '@tanstack/react-query'
import {
  type CalendarDate,
  formatEditionKey,
  formatWireDate,
  parseEditionKey,
  sortSlots,
} from '@tidings/contracts/edition-key'
import { timeListReply } from '@tidings/contracts/editions'
import { urlOf } from '@tidings/contracts/endpoint'
import * as routes from '@tidings/contracts/routes'
import { localDate } from '#lib/format/calendar.ts'
import type { Services } from '#lib/services/services.tsx'
import { deleteKept, openKeptEditions, readKept } from '#lib/storage/kept.ts'
import type { Store } from '#lib/storage/store.ts'
import { newestEdition, slotsOfDay } from '../editions/edition-queries.ts'
import { toMemo } from '../memo.ts'
import { memosOfEdition, readableMemos } from './edition-memos.ts'
import { removeLastRead } from './last-read.ts'

type KeptDeps = Pick<Services, 'config' | 'clock' | 'deviceStore'>

// Kept values are outdated from the start, so that the network's follow at once.
const outdated = { updatedAt: 0 }

/** Shows what the service worker kept of today, and of the newest edition, before the network replies. */
export async function seedKeptEditions(queryClient: QueryClient, deps: KeptDeps): Promise<void> {
  const cache = await openKeptEditions().catch(() => null)
  if (cache === null) return
  const { slots } = deps.config
  const today = localDate(deps.clock.now())
  const list = timeListReply.safeParse(await readKept(cache, timeListUrl(today))).data
  if (list !== undefined) {
    queryClient.setQueryData(slotsOfDay(today, slots).queryKey, sortSlots(list.timeStamp, slots), outdated)
  }
  const newest = newestOf(await cache.keys())
  if (newest !== null) queryClient.setQueryData(newestEdition.queryKey, newest, outdated)

  const slot = list === undefined ? undefined : sortSlots(list.timeStamp, slots).at(-1)
  const linked = /^#\/edition\/([^/?]+)/.exec(globalThis.location.hash)?.[1]
  const keys = [
    ...(linked === undefined ? [] : [linked]),
    ...(slot === undefined ? [] : [formatEditionKey(today, slot)]),
    ...(newest === null ? [] : [formatEditionKey(newest.date, newest.slot)]),
  ]
  for (const key of new Set(keys)) {
    const kept: unknown = await readKept(cache, editionUrl(key))
    if (Array.isArray(kept)) {
      const memos = readableMemos(kept).readable.map(toMemo)
      queryClient.setQueryData(memosOfEdition(key, deps.deviceStore).queryKey, memos, outdated)
    }
  }

  function newestOf(requests: readonly Request[]) {
    const kept = requests
      .map(({ url }) => parseEditionKey(new URL(url).pathname.split('/').at(-1) ?? ''))
      .filter((edition) => edition !== null)
    const rank = ({ date, slot: label }: (typeof kept)[number]) =>
      Date.UTC(date.year, date.month, date.day) / 60_000 +
      (slots.find((other) => other.label === label)?.minutes ?? 0)
    return kept.reduce<(typeof kept)[number] | null>(
      (best, edition) => (best === null || rank(edition) > rank(best) ? edition : best),
      null,
    )
  }
}

/** Deletes everything from behind the gate that is kept on this device. */
export function forgetKept(queryClient: QueryClient, deviceStore: Store): void {
  removeLastRead(deviceStore)
  queryClient.removeQueries({ queryKey: ['memos'] })
  queryClient.removeQueries({ queryKey: ['editions'] })
  void deleteKept().catch(() => undefined)
}

/** Returns the addresses that the service worker should keep: today's editions and those in memory. */
export function listUrlsToKeep(queryClient: QueryClient, { config, clock }: KeptDeps): string[] {
  const today = localDate(clock.now())
  const slots = queryClient.getQueryData(slotsOfDay(today, config.slots).queryKey)
  // Before the gate is passed, nothing is known.
  if (slots === undefined) return []
  const shown = queryClient
    .getQueryCache()
    .findAll({ queryKey: ['memos'], predicate: ({ state }) => state.status === 'success' })
    .map(({ queryKey }) => String(queryKey[1]))
  const keys = new Set([...slots.map((slot) => formatEditionKey(today, slot)), ...shown])
  return [timeListUrl(today), ...[...keys].map(editionUrl)]
}

function editionUrl(key: string): string {
  return urlOf(routes.listMemos, { params: { key } })
}

function timeListUrl(day: CalendarDate): string {
  return urlOf(routes.getTimeList, { params: { date: formatWireDate(day) } })
}

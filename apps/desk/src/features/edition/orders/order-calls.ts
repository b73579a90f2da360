import { infiniteQueryOptions } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import * as routes from '@tidings/contracts/desk/routes'
import { ApiError, call } from '#lib/api/call.ts'
import { orderOf } from '../state/edition-calls.ts'
import { moved } from '../state/memo-rows.ts'
import { restoredOrder } from './order-versions.ts'

const first: string | undefined = undefined
const orderTries = 3

/** Changes the order of an edition. If it has changed since, the change is made to the new one. */
async function changeOrder(
  edition: DeskEdition,
  change: (ids: readonly string[]) => string[],
): Promise<{ before: string[]; after: string[] }> {
  let [before, version] = [orderOf(edition), edition.orderVersion]
  for (let tries = 1; ; tries++) {
    const after = change(before)
    try {
      const input = { params: { key: edition.key }, body: { ids: after } }
      await call(routes.putOrder, input, { ifMatch: version })
      return { before, after }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'order-conflict' || tries === orderTries) throw error
      const { data } = await call(routes.getEdition, { params: { key: edition.key } })
      before = orderOf(data)
      version = data.orderVersion
    }
  }
}

/** Moves a memo in its edition. */
export async function changePlace(
  edition: DeskEdition,
  { id, by }: { id: string; by: number },
): Promise<{ by: number; place: number; of: number }> {
  const { before, after } = await changeOrder(edition, (ids) => moved(ids, id, by))
  return { by: after.indexOf(id) - before.indexOf(id), place: after.indexOf(id) + 1, of: after.length }
}

/** Restores an earlier order, without memos that are gone. Returns the order before. */
export async function restoreOrder(edition: DeskEdition, earlier: readonly string[]): Promise<string[]> {
  return (await changeOrder(edition, (ids) => restoredOrder(ids, earlier))).before
}

/** The changes of the order of an edition, newest first, page by page. */
export function orderPages(key: string) {
  return infiniteQueryOptions({
    queryKey: ['edition', key, 'orders'],
    queryFn: async ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      await call(routes.listOrders, { params: { key }, query: { limit: 50, after: pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
  })
}

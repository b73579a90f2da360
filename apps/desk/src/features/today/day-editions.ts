import { queryOptions } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import * as routes from '@tidings/contracts/desk/routes'
import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import { deliveryReport } from '#features/delivery/delivery-queries.ts'
import { call } from '#lib/api/call.ts'

/** The editions of a day, with their memos. The first report on each delivery is read with them. */
export function dayEditions(day: CalendarDate) {
  const date = formatIsoDate(day)
  return queryOptions({
    queryKey: ['editions', date],
    async queryFn({ signal, client }): Promise<DeskEdition[]> {
      const list = await call(routes.listEditions, { query: { from: date, to: date } }, { signal })
      const reads = list.data.map(async ({ key, status }) => {
        // A report that fails is read again by the screen, which shows the edition without it.
        const report = status === 'published' && client.ensureQueryData(deliveryReport(key)).catch(() => null)
        const { data } = await call(routes.getEdition, { params: { key } }, { signal })
        await report
        return data
      })
      return await Promise.all(reads)
    },
    refetchInterval: 30_000,
  })
}

/** Makes an empty draft of a slot without an edition. */
export async function startDraft(key: string): Promise<DeskEdition> {
  const { data } = await call(routes.putEdition, { params: { key }, body: { status: 'draft' } })
  return data
}

/** Takes a scheduled or held edition back. `version` is the one that the person saw. */
export async function backToDraft({ key, version }: DeskEdition): Promise<DeskEdition> {
  const input = { params: { key }, body: { status: 'draft' } } as const
  return (await call(routes.putEdition, input, { ifMatch: version })).data
}

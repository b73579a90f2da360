import { queryOptions } from '@tanstack/react-query'
import type { DeliveryProgress, DeliveryReport, DeskDelivery } from '@tidings/contracts/delivery/deliveries'
import * as routes from '@tidings/contracts/desk/routes'
import { ApiError, call } from '#lib/api/call.ts'

const pollMs = 10_000

/** How far the deliveries are that wait, run or ended a short time ago. */
export const progressQuery = queryOptions({
  queryKey: ['delivery', 'progress'],
  async queryFn({ signal }): Promise<DeliveryProgress[]> {
    return (await call(routes.listProgress, {}, { signal })).data
  },
  refetchInterval: pollMs,
})

/** The report on the deliveries of an edition. */
export function deliveryReport(key: string) {
  return queryOptions({
    queryKey: ['delivery', 'report', key],
    async queryFn({ signal }): Promise<DeliveryReport> {
      return (await call(routes.getDeliveryReport, { params: { key } }, { signal })).data
    },
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : pollMs),
  })
}

/** How many members have an edition in their mail; null where that is no longer known. */
export function mailboxesOf(key: string) {
  return queryOptions({
    queryKey: ['delivery', 'reach', key],
    async queryFn({ signal }): Promise<number | null> {
      return (await call(routes.getEditionReach, { params: { key } }, { signal })).data.mailboxes
    },
  })
}

/** The first deliveries of an edition in one state. */
export function deliveriesIn(key: string, state: DeskDelivery['state']) {
  return queryOptions({
    queryKey: ['delivery', 'list', key, state],
    async queryFn({ signal }): Promise<DeskDelivery[]> {
      const input = { params: { key }, query: { state, limit: 200 } }
      return (await call(routes.listEditionDeliveries, input, { signal })).data
    },
  })
}

/** The first unconfirmed deliveries of all editions and digests. */
export const unconfirmedQuery = queryOptions({
  queryKey: ['delivery', 'unconfirmed'],
  async queryFn({ signal }): Promise<DeskDelivery[]> {
    const query = { state: 'unconfirmed', limit: 200 } as const
    return (await call(routes.listUnconfirmed, { query }, { signal })).data
  },
})

/** Stops a delivery; only the messages in flight are still sent. */
export async function stopDelivery(key: string): Promise<DeliveryReport> {
  return (await call(routes.stopDelivery, { params: { key } })).data
}

/** Sends the rest of a delivery. */
export async function resumeDelivery(key: string): Promise<DeliveryReport> {
  return (await call(routes.resumeDelivery, { params: { key } })).data
}

/** Decides about every unconfirmed delivery of an edition. Returns how many there were. */
export async function resolveAll(key: string, as: 'sent' | 'send-again'): Promise<number> {
  let count = 0
  for (;;) {
    const input = { params: { key }, query: { state: 'unconfirmed', limit: 200 } } as const
    const { data } = await call(routes.listEditionDeliveries, input)
    if (data.length === 0) return count
    for (const { id } of data) await resolveOne(id, as)
    count += data.length
  }
}

async function resolveOne(id: string, as: 'sent' | 'send-again'): Promise<void> {
  try {
    await call(routes.resolveDelivery, { params: { id }, body: { as } })
  } catch (error) {
    // Deliveries of one message are decided together, with the first of them.
    if (error instanceof ApiError && error.code === 'delivery-not-unconfirmed') return
    throw error
  }
}

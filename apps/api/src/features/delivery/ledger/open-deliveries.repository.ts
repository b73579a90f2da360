import { z } from 'zod'
import { DeliveryMethod } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { isChosenMethod, isSmsMethod } from '../methods.ts'

const countedSchema = z.object({ method: z.enum(DeliveryMethod), count: z.int(), since: z.date() })

type OpenDeliveries = { what: string; count: number; since: Date }

/** Counts the deliveries that are still to be sent, with the time of their oldest edition. Held and stopped ones aren't. */
export async function countOpenDeliveries(db: Db): Promise<OpenDeliveries[]> {
  const counted = await queryRows(db, countedSchema)`
    SELECT delivery.method, count(*)::int AS count, min(run.send_after) AS since
    FROM delivery JOIN delivery_run AS run ON run.id = delivery.run_id
    WHERE delivery.state = 'planned' AND run.state IN ('planned', 'sending')
    GROUP BY delivery.method ORDER BY delivery.method`
  const open = new Map<string, OpenDeliveries>()
  for (const { method, count, since } of counted) {
    const what = nameOf(method)
    const { count: before = 0, since: earlier = since } = open.get(what) ?? {}
    open.set(what, {
      what,
      count: before + count,
      since: new Date(Math.min(earlier.getTime(), since.getTime())),
    })
  }
  return [...open.values()]
}

function nameOf(method: DeliveryMethod): string {
  if (!isChosenMethod(method)) return 'notifications of editions'
  return isSmsMethod(method) ? 'texts of editions' : 'emails of editions'
}

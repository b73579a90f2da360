import type { DeliveryProgress, DeliveryReport } from '@tidings/contracts/delivery/deliveries'

/** The deliveries of one method. */
export type MethodCounts = DeliveryProgress['methods'][number]

/** The deliveries of an edition, without their method. */
export type Totals = Omit<MethodCounts, 'method'>

/** The kinds of deliveries that editors tell apart. */
export type Kind = Exclude<keyof Totals, 'all'>

type ReportCount = DeliveryReport['counts'][number]

const kinds: Readonly<Record<ReportCount['state'], Kind>> = {
  planned: 'waiting',
  sending: 'waiting',
  held: 'waiting',
  sent: 'sent',
  delivered: 'sent',
  unconfirmed: 'unconfirmed',
  bounced: 'notDelivered',
  failed: 'notDelivered',
  suppressed: 'notDelivered',
}

const methods = ['memo-email', 'memo-sms', 'pdf-email', 'pdf-sms', 'digest', 'web-push'] as const

const methodNames: Readonly<Record<MethodCounts['method'], string>> = {
  'memo-email': 'Email',
  'memo-sms': 'Text',
  'pdf-email': 'PDF by email',
  'pdf-sms': 'PDF by text',
  digest: 'Digest',
  'web-push': 'Notification',
}

/** Returns the name of a method, as in the tables of the desk. */
export function methodName(method: MethodCounts['method']): string {
  return methodNames[method]
}

export function kindOf(state: ReportCount['state']): Kind {
  return kinds[state]
}

const nothing: Totals = { all: 0, sent: 0, waiting: 0, unconfirmed: 0, notDelivered: 0 }

/** Returns the counts of each method that has deliveries, in the order of the desk's tables. */
export function countsByMethod(counts: readonly ReportCount[]): MethodCounts[] {
  const byMethod = methods.map((method): MethodCounts => {
    const own = counts.filter((each) => each.method === method)
    const sum = (kind: Kind) => add(own.filter(({ state }) => kinds[state] === kind))
    return {
      method,
      all: add(own),
      sent: sum('sent'),
      waiting: sum('waiting'),
      unconfirmed: sum('unconfirmed'),
      notDelivered: sum('notDelivered'),
    }
  })
  return byMethod.filter(({ all }) => all > 0)
}

function add(counts: readonly ReportCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Adds up the counts of all methods. */
export function totalsOf(rows: readonly Totals[]): Totals {
  return rows.reduce(
    (sum, row) => ({
      all: sum.all + row.all,
      sent: sum.sent + row.sent,
      waiting: sum.waiting + row.waiting,
      unconfirmed: sum.unconfirmed + row.unconfirmed,
      notDelivered: sum.notDelivered + row.notDelivered,
    }),
    nothing,
  )
}

/** Returns the part that no longer waits, in whole percent; 100 only once nothing waits. */
export function percentDone({ all, waiting }: Pick<Totals, 'all' | 'waiting'>): number {
  return all === 0 ? 100 : Math.floor(((all - waiting) / all) * 100)
}

import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { dateInZone, isSameDay } from '#features/editions/index.ts'
import type { RefusingDomainRow } from '../ledger/refusing-domains.repository.ts'

type Shown = DeliveryReport['refusingDomains'][number]

/** Describes a domain that refuses us, with a line such as `gmail.com refuses us: 214 since 10:02, first reply …`. */
export function describeRefusal(row: RefusingDomainRow, now: Date, timeZone: string): Shown {
  const { domain, refusals, since, firstReply, retryAt } = row
  return {
    domain,
    refusals,
    since: since.toISOString(),
    firstReply,
    retryAt: retryAt?.toISOString() ?? null,
    text: `${domain} refuses us: ${refusals} since ${timeOf(since, now, timeZone)}, first reply ${firstReply}`,
  }
}

/** Returns the time of the day, after its date if that is not today. */
function timeOf(instant: Date, now: Date, timeZone: string): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(instant)
  const date = dateInZone(instant, timeZone)
  return isSameDay(date, dateInZone(now, timeZone)) ? time : `${formatWireDate(date)} ${time}`
}

const dayMs = 24 * 3_600_000

/** Returns whether a domain refused us while a run was sent, or a report about it came within a day. */
export function refusedDuring(
  { since, lastRefusedAt }: RefusingDomainRow,
  { startedAt, finishedAt }: { startedAt: Date | null; finishedAt: Date | null },
): boolean {
  if (startedAt === null || lastRefusedAt < startedAt) return false
  return finishedAt === null || since.getTime() <= finishedAt.getTime() + dayMs
}

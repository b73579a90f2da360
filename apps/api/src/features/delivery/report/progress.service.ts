import type { DeliveryProgress } from '@tidings/contracts/delivery/deliveries'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { type DeskReply, replyWith } from '#features/desk/index.ts'
import { idOf, keyOf } from '#features/editions/index.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { countWaitingMembers, listProgress, type ProgressRow } from '../ledger/progress.repository.ts'
import { toWireMethod } from '../methods.ts'

type Kind = 'sent' | 'waiting' | 'unconfirmed' | 'notDelivered'
type MethodProgress = DeliveryProgress['methods'][number]

const kinds: Readonly<Record<ProgressRow['state'], Kind>> = {
  planned: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  delivered: 'sent',
  unconfirmed: 'unconfirmed',
  bounced: 'notDelivered',
  failed: 'notDelivered',
  suppressed: 'notDelivered',
}
const shownMs = 10 * 60_000

export type ProgressReport = ReturnType<typeof createProgressReport>

/** Tells editors how far the deliveries of open runs are, without reading the deliveries. */
export function createProgressReport({ database, clock }: Pick<PlatformDeps, 'database' | 'clock'>) {
  /** Returns the progress of the runs that are open, or that ended in the last ten minutes. */
  async function read(): Promise<DeliveryProgress[]> {
    const rows = await listProgress(database.db, new Date(clock.now().getTime() - shownMs))
    const isWaiting = ({ startedAt, runState }: ProgressRow) => startedAt === null && runState !== 'done'
    const waiting = new Set(rows.filter(isWaiting).map(({ runId }) => runId))
    const members = await countWaitingMembers(database.db, [...waiting])
    const runs = new Map<number, DeliveryProgress>()
    for (const row of rows) {
      const { runId } = row
      const run = runs.get(runId) ?? emptyProgress(row, waiting.has(runId) ? (members.get(runId) ?? 0) : null)
      runs.set(row.runId, { ...run, methods: added(run.methods, row) })
    }
    return [...runs.values()]
  }

  return {
    read,
    /** Returns the progress as a reply of the desk. */
    list: async (): Promise<DeskReply> => replyWith(await read()),
  }
}

function emptyProgress(row: ProgressRow, members: number | null): DeliveryProgress {
  const { date, slot, digestDate, runState, isPublished } = row
  return {
    edition: date === null || slot === null ? null : keyOf(idOf({ date, slot })),
    digest: digestDate === null ? null : formatWireDate(fromDatabaseDate(digestDate)),
    state: isPublished || runState === 'done' ? runState : 'withdrawn',
    sendAfter: row.sendAfter.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    members,
    methods: [],
  }
}

function added(methods: readonly MethodProgress[], { state, count, ...row }: ProgressRow): MethodProgress[] {
  const method = toWireMethod(row.method)
  const none = { method, all: 0, sent: 0, waiting: 0, unconfirmed: 0, notDelivered: 0 }
  const own = methods.find((each) => each.method === method) ?? none
  const kind = kinds[state]
  const counted = { ...own, all: own.all + count, [kind]: own[kind] + count }
  return [...methods.filter((each) => each !== own), counted]
}

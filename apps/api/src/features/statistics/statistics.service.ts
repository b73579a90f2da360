import {
  type DayNumbers,
  type EditionNumbers,
  type Statistics,
  type StatisticsQuery,
  statisticsDays,
} from '@tidings/contracts/desk/statistics'
import { formatIsoDate } from '@tidings/contracts/edition-key'
import {
  type CountedDay,
  listCounts,
  listMissedSearches,
  missThreshold,
  replaceCounts,
} from '#features/daily-counts/index.ts'
import { toWireMethod } from '#features/delivery/index.ts'
import { addDays, boundsOfDay, dateInZone, idOf, keyOf } from '#features/editions/index.ts'
import { fromDatabaseDate, toDatabaseDate } from '#platform/database-date.ts'
import { invalidField } from '#platform/fields.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import {
  type CountByDay,
  type CountedEdition,
  countByEdition,
  countByPlan,
  countDelivered,
  countJoined,
  countLikes,
  listMostLiked,
  type Period,
} from './statistics.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'apps'> & { timeZone: string; appId: string }

export type StatisticsService = ReturnType<typeof createStatistics>

const dayMs = 86_400_000
const shownMemos = 5
const shownSearches = 50

/** Creates the service of the numbers by day. */
export function createStatistics({ database, clock, apps, timeZone, appId }: Deps) {
  const { db } = database

  function today(): Date {
    return toDatabaseDate(dateInZone(clock.now(), timeZone))
  }

  function periodOf({ days, from, to }: StatisticsQuery): Period {
    const last = to === undefined ? today() : new Date(to)
    const first =
      from === undefined ? toDatabaseDate(addDays(fromDatabaseDate(last), 1 - days)) : new Date(from)
    const length = (last.getTime() - first.getTime()) / dayMs + 1
    if (length < 1) throw invalidField('from', 'must not be after the last day')
    if (length > statisticsDays)
      throw invalidField('from', `must be at most ${statisticsDays} days before the last day`)
    return {
      first,
      last,
      from: boundsOfDay(fromDatabaseDate(first), timeZone).from,
      until: boundsOfDay(fromDatabaseDate(last), timeZone).until,
      timeZone,
    }
  }

  return {
    async read(query: StatisticsQuery): Promise<Statistics> {
      const period = periodOf(query)
      const [delivered, editions, likes, joined, counted, members, liked, missed] = await Promise.all([
        countDelivered(db, period),
        countByEdition(db, period),
        countLikes(db, period),
        countJoined(db, appId, period),
        listCounts(db, period),
        countByPlan(db, appId),
        listMostLiked(db, period, shownMemos),
        listMissedSearches(db, period, { threshold: missThreshold, limit: shownSearches }),
      ])
      const now = today().getTime()
      const days: DayNumbers[] = []
      for (let time = period.first.getTime(); time <= period.last.getTime(); time += dayMs) {
        const ofDay = <Row extends { day: Date }>(rows: readonly Row[]) =>
          rows.filter(({ day }) => day.getTime() === time)
        const numbers = ofDay(counted)
        days.push({
          day: formatIsoDate(fromDatabaseDate(new Date(time))),
          delivered: ofDay(delivered).map(({ method, sent, failed }) => ({
            method: toWireMethod(method),
            sent,
            failed,
          })),
          likes: sumOf(ofDay(likes)),
          linksOpened: linksOf(numbers),
          members: toMembers(time === now ? members : storedMembers(numbers)),
          new: sumOf(ofDay(joined)) + sumOf(numbers.filter(({ kind }) => kind === 'joined')),
          gone: sumOf(numbers.filter(({ kind }) => kind === 'gone')),
        })
      }
      const mostLiked = liked.map(({ date, slot, ...memo }) => ({
        ...memo,
        edition: keyOf(idOf({ date, slot })),
      }))
      const app = (await apps.directory()).byId.get(appId)
      return {
        days,
        editions: editions.map(toEditionNumbers),
        plans: (app?.plans ?? []).map(({ id, name }) => ({ planId: id, name })),
        mostLiked,
        missedSearches: missed,
      }
    },

    /** Stores today's number of members by plan. */
    async storeMembers(): Promise<void> {
      const counts = await countByPlan(db, appId)
      await database.transaction((tx) => replaceCounts(tx, { day: today(), kind: 'members' }, counts))
    },
  }
}

function toEditionNumbers({ date, slot, status, run, ...counts }: CountedEdition): EditionNumbers {
  return { edition: keyOf(idOf({ date, slot })), state: stateOf(status, run), ...counts }
}

function stateOf(status: CountedEdition['status'], run: CountedEdition['run']): EditionNumbers['state'] {
  if (status === 'held' || run === 'held') return 'held'
  return run === 'stopped' || run === 'sending' ? run : 'published'
}

function sumOf(rows: readonly Pick<CountByDay, 'count'>[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

const purposes = ['view', 'pdf', 'preferences', 'unsubscribe'] as const

function linksOf(numbers: readonly CountedDay[]): DayNumbers['linksOpened'] {
  return purposes.flatMap((purpose) => {
    const opened = numbers.filter(({ kind, label }) => kind === 'link' && label === purpose)
    return opened.length === 0 ? [] : [{ purpose, count: sumOf(opened) }]
  })
}

function storedMembers(numbers: readonly CountedDay[]): Map<string, number> {
  const stored = numbers.filter(({ kind }) => kind === 'members')
  return new Map(stored.map(({ label, count }) => [label, count]))
}

function toMembers(counts: ReadonlyMap<string, number>): DayNumbers['members'] {
  const all = counts.get('')
  if (all === undefined) return null
  const plans = [...counts].filter(([planId]) => planId !== '').toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { all, byPlan: plans.map(([planId, count]) => ({ planId, count })) }
}

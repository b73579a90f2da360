import { createCollections } from './collections.ts'
import { createEventPruning } from './event-pruning.ts'
import { createIds } from './ids.ts'
import { type Journal, openJournal } from './journal.ts'
import { createSettings } from './settings.ts'
import type { EventRecord, Store } from './store.ts'
import { createStoreTime } from './store-time.ts'
import { createTransactions, type EventRequest } from './transactions.ts'

/** A store with its time, settings and transactions. */
export type AccountStore = Store & {
  readonly isLive: boolean
  /**
   * Runs a call. Its events name it and are delivered at its end. An invalid request is undone; a declined card
   * leaves the failed payment.
   */
  transact<Result>(run: () => Result, request?: EventRequest): Result
  onEvent(listener: (event: EventRecord) => void): void
  /** Returns the wall clock in seconds, without `advance`. */
  wallTime(): number
  /** Moves the time of objects without a test clock. */
  advance(seconds: number): void
  /** Returns a stored setting as JSON. */
  setting(name: string): string | null
  settingNames(): string[]
  /** Stores a setting; undefined removes it. */
  setSetting(name: string, value: unknown): void
  /** Writes pending changes to disk. */
  flush(): void
}

type Options = {
  now: () => Date
  /** Where the store is persisted; without it, only in memory. */
  directory?: string | undefined
  /** The origin of the pages. */
  pageOrigin?: () => string
  afterLastRetry?: Store['afterLastRetry']
  accountId?: string
  isLive?: boolean
}

/** Opens the persisted store, or an empty one. */
export function createStore({
  now,
  directory,
  pageOrigin = () => '',
  afterLastRetry = 'cancel',
  accountId = 'acct_local',
  isLive = false,
}: Options): AccountStore {
  let journal: Journal | undefined
  const settings = createSettings((name, value) => journal?.write(name, value))
  const listeners: ((event: EventRecord) => void)[] = []
  const { transact, ...transaction } = createTransactions(publish)
  const records = createCollections({
    onChange(name, record, undo) {
      journal?.write(name, record)
      transaction.onChange(undo)
    },
  })
  const { of } = records
  const pruneEvents = createEventPruning(records)

  if (directory) {
    journal = openJournal({
      directory,
      restore(name, json) {
        if (!settings.restore(name, json)) records.restore(name, json)
      },
      *current() {
        yield* settings.all()
        yield* records.all()
      },
    })
  }

  const newId = createIds(settings)
  const { wallTime, timeOf, at, advance } = createStoreTime({
    now,
    settings,
    frozenTime: (testClockId) => of('testClock').find(testClockId)?.frozenTime,
  })

  function publish(events: readonly EventRecord[]) {
    for (const event of events) for (const listener of listeners) listener(event)
    pruneEvents(events.length)
  }

  return {
    of,
    newId,
    now: timeOf,
    accountId,
    isLive,
    pageOrigin,
    afterLastRetry,
    taxPercent: () => Number(settings.get('tax-percent') ?? 0),
    at,
    emit(type, object, { previous, testClockId } = {}) {
      const event = of('event').put({
        id: newId('evt'),
        created: timeOf(testClockId),
        type,
        object,
        previousAttributes: previous ?? null,
        request: transaction.request(),
        delivery: null,
      })
      transaction.onEvent(event)
    },
    transact,
    onEvent(listener) {
      listeners.push(listener)
    },
    wallTime,
    advance,
    setting: settings.get,
    settingNames: settings.names,
    setSetting: settings.set,
    flush: () => journal?.flush(),
  }
}

import { createHmac, generateKeySync } from 'node:crypto'
import { ApiError } from '../protocol/errors.ts'
import { createCollections } from './collections.ts'
import { type Journal, openJournal } from './journal.ts'
import type { EventRecord, Store } from './store.ts'

/** The API call that caused an event. */
type EventRequest = EventRecord['request']

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

const settingPrefix = 'setting/'

/** How many events are kept, beside those that are not delivered yet. */
const eventLimit = 20_000

/** Old events are pruned each time so many new ones were emitted. */
const pruningStep = 2_000
const noRequest: EventRequest = { id: null, idempotencyKey: null }

type Transaction = { request: EventRequest; events: EventRecord[]; undo: (() => void)[] }

/** Opens the persisted store, or an empty one. */
export function createStore({
  now,
  directory,
  pageOrigin = () => '',
  afterLastRetry = 'cancel',
  accountId = 'acct_local',
  isLive = false,
}: Options): AccountStore {
  const settings = new Map<string, string>()
  let journal: Journal | undefined
  let transaction: Transaction | undefined

  const records = createCollections({
    onChange(name, record, undo) {
      journal?.write(name, record)
      transaction?.undo.push(undo)
    },
  })
  const { of } = records

  function setSetting(name: string, value: unknown) {
    if (value === undefined) settings.delete(name)
    else settings.set(name, JSON.stringify(value))
    journal?.write(settingPrefix + name, value)
  }

  if (directory) {
    journal = openJournal({
      directory,
      restore(name, json) {
        if (name.startsWith(settingPrefix)) settings.set(name.slice(settingPrefix.length), json)
        else records.restore(name, json)
      },
      *current() {
        for (const [name, json] of settings) yield [settingPrefix + name, JSON.parse(json)]
        yield* records.all()
      },
    })
  }

  const keptKey: unknown = JSON.parse(settings.get('id-key') ?? 'null')
  const idKey = typeof keptKey === 'string' ? keptKey : newIdKey()
  setSetting('id-key', idKey)
  let idCount = Number(settings.get('id-count') ?? 0)
  let addedSeconds = Number(settings.get('added-seconds') ?? 0)
  const timeOverrides = new Map<string, number>()
  const listeners: ((event: EventRecord) => void)[] = []

  function wallTime() {
    return Math.floor(now().getTime() / 1000)
  }

  function timeOf(testClockId: string | null | undefined): number {
    const moment = timeOverrides.get(testClockId ?? '')
    if (moment !== undefined) return moment
    const clock = testClockId ? of('testClock').find(testClockId) : undefined
    return clock?.frozenTime ?? wallTime() + addedSeconds
  }

  function newId(prefix: string) {
    idCount += 1
    setSetting('id-count', idCount)
    return idOf(prefix, idCount, idKey)
  }

  function tell(events: readonly EventRecord[]) {
    for (const event of events) for (const listener of listeners) listener(event)
    pruneEvents(events.length)
  }

  let emitted = 0
  let examined = 0

  /** Prunes rarely, because undelivered events can't be removed. */
  function pruneEvents(added: number) {
    emitted += added
    if (emitted - examined < pruningStep) return
    examined = emitted
    const events = of('event')
    const surplus = events.size() - eventLimit
    if (surplus <= 0) return
    const taken = Array.from(events.all()).filter(({ delivery }) => delivery?.state !== 'pending')
    for (const { id } of taken.slice(0, surplus)) events.remove(id)
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
    at(time, testClockId, run) {
      const clock = testClockId ?? ''
      const former = timeOverrides.get(clock)
      timeOverrides.set(clock, time)
      try {
        return run()
      } finally {
        if (former === undefined) timeOverrides.delete(clock)
        else timeOverrides.set(clock, former)
      }
    },
    emit(type, object, { previous, testClockId } = {}) {
      const event = of('event').put({
        id: newId('evt'),
        created: timeOf(testClockId),
        type,
        object,
        previousAttributes: previous ?? null,
        request: transaction?.request ?? noRequest,
        delivery: null,
      })
      if (transaction) transaction.events.push(event)
      else tell([event])
    },
    transact(run, request = noRequest) {
      const current: Transaction = { request, events: [], undo: [] }
      transaction = current
      try {
        return run()
      } catch (error) {
        transaction = undefined
        if (isRefusal(error)) {
          current.events = []
          for (const undo of current.undo.reverse()) undo()
        }
        throw error
      } finally {
        transaction = undefined
        tell(current.events)
      }
    },
    onEvent(listener) {
      listeners.push(listener)
    },
    wallTime,
    advance(seconds) {
      addedSeconds += seconds
      setSetting('added-seconds', addedSeconds)
    },
    setting: (name) => settings.get(name) ?? null,
    settingNames: () => Array.from(settings.keys()),
    setSetting,
    flush: () => journal?.flush(),
  }
}

function isRefusal(error: unknown) {
  return !(error instanceof ApiError) || error.type === 'invalid_request_error'
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const usualLength = 24

/** The length of ids after their prefix, if it is not the usual one. Coupons have no prefix. */
const lengths: Record<string, number> = { '': 8, cus: 14, prod: 14, req: 14, cs_test: 58 }

function newIdKey(): string {
  return generateKeySync('hmac', { length: 256 }).export().toString('base64')
}

/** Returns the id of a number. Ids can't be guessed without the key. */
function idOf(prefix: string, number: number, key: string): string {
  const bytes = createHmac('sha512', key).update(`${prefix} ${number}`).digest()
  const characters = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
  const body = characters.slice(0, lengths[prefix] ?? usualLength)
  return prefix ? `${prefix}_${body}` : body.toUpperCase()
}

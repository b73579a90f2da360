import { setTimeout as wait } from 'node:timers/promises'
import type { Gauge, GaugeConfiguration } from 'prom-client'
import type { Clock } from '../clock.ts'
import { isDatabaseUnavailable } from '../database.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'

/** A value of a gauge, with its labels. */
export type Sample = { gauge: Gauge; labels?: Readonly<Record<string, string>>; value: number }

export type DatabaseMetrics = ReturnType<typeof createDatabaseMetrics>

type Reader = { name: string; gauges: readonly Gauge[]; read: (now: Date) => Promise<Sample[]> }

type Options = {
  metrics: Metrics
  clock: Clock
  logger: Logger
  /** How long values are kept, however often they are scraped. */
  keptMs: number
  /** How long a scrape waits for the database. */
  limitMs?: number
}

const defaultLimitMs = 4_000

/**
 * Creates the metrics that are read from the database at a scrape, one query after another on one connection. Without the
 * database they have no values: an old value would look like a current one.
 */
export function createDatabaseMetrics({ metrics, clock, logger, keptMs, limitMs = defaultLimitMs }: Options) {
  const readers: Reader[] = []
  const failing = new Set<string>()
  let reading: Promise<boolean> | null = null
  let isUp = false
  let readAtMs = Number.NEGATIVE_INFINITY

  /** Reads everything. Returns whether the database was available. */
  async function readAll(isLate: () => boolean): Promise<boolean> {
    for (const reader of readers) {
      const { name, gauges, read } = reader
      try {
        const samples = await read(clock.now())
        if (isLate()) return false
        clear(gauges)
        for (const { gauge, labels = {}, value } of samples) gauge.set(labels, value)
        failing.delete(name)
      } catch (error) {
        clear(gauges)
        if (isDatabaseUnavailable(error)) return false
        if (!failing.has(name)) logger.warn({ err: error, metrics: name }, 'metrics query failed')
        failing.add(name)
      }
    }
    return true
  }

  async function refresh(): Promise<boolean> {
    let isOver = false
    const work = readAll(() => isOver).finally(() => {
      reading = null
    })
    reading = work
    const late = new AbortController()
    const isDone = await Promise.race([work, wait(limitMs, false, { signal: late.signal, ref: false })])
    late.abort()
    isOver = true
    if (!isDone) for (const { gauges } of readers) clear(gauges)
    readAtMs = clock.now().getTime()
    return isDone
  }

  let scrape: Promise<void> | null = null

  /** Resolves once the values are current. The gauges of one scrape share one refresh. */
  async function current(): Promise<void> {
    const isKept = Math.abs(clock.now().getTime() - readAtMs) < keptMs
    // An earlier refresh that still waits for the database says enough.
    if (isKept || (reading !== null && scrape === null)) return
    scrape ??= refresh()
      .then((result) => {
        isUp = result
      })
      .finally(() => {
        scrape = null
      })
    await scrape
  }

  metrics.gauge({
    name: 'tidings_database_up',
    help: '1 while this process can query the database',
    async collect() {
      await current()
      this.set(isUp ? 1 : 0)
    },
  })

  return {
    /** Creates a gauge whose values `fill` reads. All processes have the same values. */
    gauge(options: Pick<GaugeConfiguration<string>, 'name' | 'help' | 'labelNames'>): Gauge {
      const help = `${options.help}; the same in every process`
      return metrics.gauge({ ...options, help, collect: current })
    },
    /** Reads the values of gauges at a scrape. A gauge without a sample is not exported. */
    fill(name: string, gauges: readonly Gauge[], read: (now: Date) => Promise<Sample[]>): void {
      readers.push({ name, gauges, read })
    },
  }
}

function clear(gauges: readonly Gauge[]): void {
  for (const gauge of gauges) {
    gauge.reset()
    // NOTE: a reset gauge without labels is 0.
    gauge.remove({})
  }
}

/** Returns the age of a moment in seconds; 0 without one. */
export function secondsSince(moment: Date | null, now: Date): number {
  return moment === null ? 0 : Math.max(0, (now.getTime() - moment.getTime()) / 1000)
}

import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** Creates the Prometheus metrics of one process; `withProcess` adds memory, CPU and event loop. */
export function createMetrics({ withProcess }: { withProcess: boolean }) {
  const registry = new Registry()
  const registers = [registry]
  if (withProcess) collectProcessMetrics(registry)
  return {
    registry,
    /** Adds a feature's own counter. A name can be added once. */
    counter: <T extends string>(options: CounterConfiguration<T>) => new Counter({ ...options, registers }),
    /** Adds a feature's own gauge. A name can be added once. */
    gauge: <T extends string>(options: GaugeConfiguration<T>) => new Gauge({ ...options, registers }),
    /** Cached responses are counted as cache reads instead. */
    requests: new Histogram({
      name: 'tidings_http_request_seconds',
      help: 'Time from the request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    refusals: new Counter({
      name: 'tidings_http_refusals_total',
      help: 'Error responses',
      labelNames: ['code', 'status'],
      registers,
    }),
    /** Exports counts of cache hits and misses. Plain numbers, because every read of an edition counts one. */
    countCacheReads(reads: Readonly<Record<'hit' | 'miss' | 'stale', number>>): void {
      const counter = new Counter({
        name: 'tidings_cache_reads_total',
        help: 'Reads of cached responses',
        labelNames: ['outcome'],
        registers,
        collect() {
          counter.reset()
          counter.inc({ outcome: 'hit' }, reads.hit)
          counter.inc({ outcome: 'miss' }, reads.miss)
          counter.inc({ outcome: 'stale' }, reads.stale)
        },
      })
    },
    jobsDone: new Counter({
      name: 'tidings_jobs_total',
      help: 'Jobs run by this process',
      // Prometheus itself sets the label `job`.
      labelNames: ['queue', 'outcome'],
      registers,
    }),
  }
}

// Gauges that are named like counters; `promtool check metrics` rejects them. Others have the same numbers by type.
const misnamed = ['handles', 'requests', 'resources'].map((what) => `tidings_nodejs_active_${what}_total`)

function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: 'tidings_' })
  for (const name of misnamed) registry.removeSingleMetric(name)
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** Creates the Prometheus metrics of one process; `withProcess` adds memory, CPU and event loop. */
export function createMetrics({ withProcess }: { withProcess: boolean }) {
  const registry = new Registry()
  const registers = [registry]
  if (withProcess) collectDefaultMetrics({ register: registry, prefix: 'tidings_' })
  return {
    registry,
    /** Cached responses are counted as cache reads instead. */
    requests: new Histogram({
      name: 'tidings_http_request_seconds',
      help: 'Time from the request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    sockets: new Gauge({ name: 'tidings_live_sockets', help: 'Open sockets of the live feed', registers }),
    framesSent: new Counter({
      name: 'tidings_live_frames_total',
      help: 'NEW_MEMO frames sent to sockets',
      registers,
    }),
    socketsDropped: new Counter({
      name: 'tidings_live_sockets_dropped_total',
      help: 'Sockets closed because they were dead or too slow',
      labelNames: ['reason'],
      registers,
    }),
    refusals: new Counter({
      name: 'tidings_http_refusals_total',
      help: 'Error responses',
      labelNames: ['code', 'status'],
      registers,
    }),
    /** Exports counts of cache hits and misses. Plain numbers, because every read of an edition counts one. */
    countCacheReads(reads: Readonly<Record<'hit' | 'miss', number>>): void {
      const counter = new Counter({
        name: 'tidings_cache_reads_total',
        help: 'Reads of cached responses',
        labelNames: ['outcome'],
        registers,
        collect() {
          counter.reset()
          counter.inc({ outcome: 'hit' }, reads.hit)
          counter.inc({ outcome: 'miss' }, reads.miss)
        },
      })
    },
    jobsDone: new Counter({
      name: 'tidings_jobs_total',
      help: 'Jobs run by this process',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    unverifiedRemoved: new Counter({
      name: 'tidings_unverified_accounts_removed_total',
      help: 'Accounts deleted because their address was never verified',
      registers,
    }),
    refunds: new Counter({
      name: 'tidings_payment_refunds_total',
      help: 'Automatic refunds, failed refunds, and payments that the merchant has to refund',
      labelNames: ['status', 'reason'],
      registers,
    }),
  }
}

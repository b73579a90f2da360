import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the process counts about itself, in Prometheus' text format. */
export type Metrics = {
  registry: Registry
  /** Seconds by method, route pattern and status; ready replies are counted as cache reads instead. */
  requests: Histogram<'method' | 'route' | 'status'>
  /** Open sockets of the live feed. */
  sockets: Gauge
  /** NEW_MEMO frames handed to sockets. */
  framesSent: Counter
  /** Sockets ended because they were dead or too slow. */
  socketsDropped: Counter<'reason'>
  /** Requests answered with an error, whatever the route. */
  refusals: Counter<'code' | 'status'>
  /** Shows, from now on, how many reads were answered from memory and how many had to load. */
  countCacheReads(reads: Readonly<Record<'hit' | 'miss', number>>): void
  jobsDone: Counter<'job' | 'outcome'>
  /** Accounts removed because their address was never verified. */
  unverifiedRemoved: Counter
  /** Automatic refunds that were made or failed, and payments that are up to the merchant. */
  refunds: Counter<'status' | 'reason'>
}

/** Builds the counters of one process; `withProcess` adds memory, processor and event loop. */
export function createMetrics({ withProcess }: { withProcess: boolean }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (withProcess) collectDefaultMetrics({ register: registry, prefix: 'tidings_' })
  return {
    registry,
    requests: new Histogram({
      name: 'tidings_http_request_seconds',
      help: 'Time from the request to the end of its reply',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    sockets: new Gauge({ name: 'tidings_live_sockets', help: 'Open sockets of the live feed', registers }),
    framesSent: new Counter({
      name: 'tidings_live_frames_total',
      help: 'NEW_MEMO frames handed to sockets',
      registers,
    }),
    socketsDropped: new Counter({
      name: 'tidings_live_sockets_dropped_total',
      help: 'Sockets ended because they were dead or too slow',
      labelNames: ['reason'],
      registers,
    }),
    refusals: new Counter({
      name: 'tidings_http_refusals_total',
      help: 'Requests answered with an error',
      labelNames: ['code', 'status'],
      registers,
    }),
    // Counted in a plain number and read when asked for: it is the one counter on the way of every read.
    countCacheReads(reads) {
      const counter = new Counter({
        name: 'tidings_cache_reads_total',
        help: 'Reads of ready answers',
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
      help: 'Accounts removed because their address was never verified',
      registers,
    }),
    refunds: new Counter({
      name: 'tidings_payment_refunds_total',
      help: 'Payments refunded automatically, failed refunds, and payments for the merchant to refund',
      labelNames: ['status', 'reason'],
      registers,
    }),
  }
}

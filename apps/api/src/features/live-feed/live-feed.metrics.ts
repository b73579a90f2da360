import type { Metrics } from '#platform/metrics.ts'

/** Creates the metrics of open sockets. */
export function createLiveMetrics(metrics: Metrics) {
  const open = metrics.gauge({ name: 'tidings_live_sockets', help: 'Open sockets of the live feed' })
  const framesSent = metrics.counter({
    name: 'tidings_live_frames_total',
    help: 'NEW_MEMO frames sent to sockets',
  })
  const dropped = metrics.counter({
    name: 'tidings_live_sockets_dropped_total',
    help: 'Sockets closed because they were dead or too slow',
    labelNames: ['reason'],
  })
  return { open, framesSent, dropped }
}

import type { Metrics } from '#platform/metrics.ts'

/** Creates the metrics of limited texts. `findStop` returns until when codes to new accounts are stopped. */
export function createSmsMetrics(metrics: Metrics, findStop: () => Promise<Date | null>) {
  const texts = metrics.counter({
    name: 'tidings_limited_texts_total',
    help: 'Codes and tests by text: counted before they are sent, or refused by a limit',
    labelNames: ['kind', 'outcome'],
  })
  const stops = metrics.counter({
    name: 'tidings_phone_code_stops_total',
    help: 'How often codes to new accounts were stopped because too many stayed unused',
  })
  metrics.gauge({
    name: 'tidings_phone_codes_stopped',
    help: '1 while codes to new accounts are stopped',
    async collect() {
      // Without the database, the last value stays: the other metrics are still wanted.
      const until = await findStop().catch(() => undefined)
      if (until !== undefined) this.set(until === null ? 0 : 1)
    },
  })
  return {
    count: (kind: 'code' | 'test', outcome: string) => texts.inc({ kind, outcome }),
    countStop: () => stops.inc(),
  }
}

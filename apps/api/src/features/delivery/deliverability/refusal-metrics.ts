import type { PlatformDeps } from '#platform/deps.ts'
import { listRefusingDomains } from './refusing-domains.repository.ts'

/** Exports which domains refuse us. They are read from the database, because workers have no metrics of their own. */
export function exportRefusals({
  metrics,
  database,
  clock,
  logger,
}: Pick<PlatformDeps, 'metrics' | 'database' | 'clock' | 'logger'>): void {
  const refusals = metrics.gauge({
    name: 'tidings_delivery_domain_refusals',
    help: 'Refusals since a receiving domain began to refuse the site, whatever the address',
    labelNames: ['domain'],
    async collect() {
      try {
        const rows = await listRefusingDomains(database.db, clock.now())
        refusals.reset()
        for (const { domain, refusals: count } of rows) refusals.set({ domain }, count)
      } catch (error) {
        // The other metrics show why.
        logger.debug({ err: error }, 'reading refusing domains failed')
      }
    },
  })
}

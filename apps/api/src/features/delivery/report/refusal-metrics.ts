import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { listRefusingDomains } from '../ledger/refusing-domains.repository.ts'

type Deps = Pick<PlatformDeps, 'metrics' | 'database' | 'clock' | 'logger'> & { metricsToken: string }

/**
 * Exports which domains refuse us, read from the database, because workers have no metrics of their own. Without a token,
 * anyone may read the metrics: then as one number, because a domain can name its only member.
 */
export function exportRefusals({ metrics, database, clock, logger, metricsToken }: Deps): void {
  const refusals = metrics.gauge({
    name: 'tidings_delivery_domain_refusals',
    help: 'Refusals since a receiving domain began to refuse the site, by domain with METRICS_TOKEN',
    labelNames: ['domain'],
    async collect() {
      try {
        const rows = await listRefusingDomains(database.db, clock.now())
        refusals.reset()
        for (const { domain, refusals: count } of rows)
          refusals.inc({ domain: metricsToken === '' ? 'all' : domain }, count)
      } catch (error) {
        // The other metrics show why.
        logger.debug({ err: error }, 'refusing domains query failed')
      }
    },
  })
}

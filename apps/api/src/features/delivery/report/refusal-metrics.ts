import type { DatabaseMetrics } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { countRefusals, listRefusingDomains } from '../ledger/refusing-domains.repository.ts'

type Deps = Pick<PlatformDeps, 'database'> & { databaseMetrics: DatabaseMetrics; metricsToken: string }

/** A widely used block list can make thousands of domains refuse us. */
const maxDomains = 20

/**
 * Exports which domains refuse us: those with most refusals, and all others together. Without a token, anyone may read the
 * metrics: then as one number, because a domain can name its only member.
 */
export function exportRefusals({ databaseMetrics, database, metricsToken }: Deps): void {
  const refusals = databaseMetrics.gauge({
    name: 'tidings_delivery_domain_refusals',
    help: 'Refusals since a receiving domain began to refuse the site, by domain with METRICS_TOKEN; other is all but the first 20',
    labelNames: ['domain'],
  })
  databaseMetrics.fill('refusing domains', [refusals], async (now) => {
    const all = await countRefusals(database.db, now)
    const sample = (domain: string, value: number) => ({ gauge: refusals, labels: { domain }, value })
    if (metricsToken === '') return [sample('all', all)]
    const named = (await listRefusingDomains(database.db, now)).slice(0, maxDomains)
    const others = all - named.reduce((sum, row) => sum + row.refusals, 0)
    return [...named.map((row) => sample(row.domain, row.refusals)), sample('other', Math.max(0, others))]
  })
}

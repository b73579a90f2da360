import { expect } from 'vitest'
import { metricValues } from '#test/metric-values.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { recordDomainRefusal } from '../ledger/refusing-domains.repository.ts'

const it = deliveryTest({ env: { METRICS_TOKEN: '' } })

it('names no domain in metrics that anyone may read', async ({ delivery: { site, db } }) => {
  for (const address of ['ann@smith.example', 'ben@gmail.example']) {
    const refusal = { address, reply: '550 5.7.1 Blocked', now: site.clock.now() }
    await recordDomainRefusal(db, refusal, { isProbe: false })
  }
  expect(await metricValues(site.context.metrics, 'tidings_delivery_domain_refusals')).toMatchObject([
    { labels: { domain: 'all' }, value: 2 },
  ])
})

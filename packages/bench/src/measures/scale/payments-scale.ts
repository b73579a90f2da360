import { urlOf } from '@tidings/contracts/endpoint'
import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import { startCheckout } from '@tidings/contracts/membership/routes'
import { logIn, signUp } from '../../calls/membership.ts'
import { rawPost } from '../../calls/raw-request.ts'
import { fillPaidPlans } from '../../data/fill-payers.ts'
import type { Storm, StormOrder } from '../../load/events/webhooks.ts'
import { broadQueriesRow, describePlan, explainQueries, worstOfEach } from '../../probes/query-plans.ts'
import { startProgram } from '../../programs/program.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { webhookSecret } from '../../sites/emulators.ts'
import { type PaymentsSite, startPaymentsSite } from '../../sites/payments-site.ts'

const tables = /\b(payment_customer|payment_event|plan_connection)\b/
const payers = 20
const atOnce = 4

/**
 * Explains the payment queries on a million paying members: receiving events, syncing plans, opening a checkout, and the
 * sweep for overdue payments.
 */
export async function measurePaymentsScale(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const options = { name: 'payments-million', customers: payers, size: 'million' } as const
    const site = await startPaymentsSite(bench, lifetime, options)
    await bench.progress.step('Having a million members pay', () => fillPaidPlans(site.database))
    const events = startProgram(lifetime, new URL('../../load/events/webhooks.ts', import.meta.url))
    const { logFile } = await bench.databases()
    const carriedOut = await explainQueries(site, { logFile, tables }, async () => {
      await takeEvents(site, (order) => events.request<Storm>(order))
      await openCheckout(site)
      await sweep(site)
    })
    const queries = worstOfEach(carriedOut)
    for (const line of queries.flatMap(describePlan)) bench.progress.say(line)
    return [broadQueriesRow('of payments among a million', queries)]
  })
}

async function takeEvents(site: PaymentsSite, post: (order: StormOrder) => Promise<Storm>): Promise<void> {
  await site.changeSubscriptions()
  await post({
    url: site.api.url + urlOf(receiveStripeEvent),
    secret: webhookSecret,
    customersABurst: payers,
    atOnce,
    customerIds: site.customerIds,
    object: site.subscription,
  })
  await site.waitForSyncs()
  await site.waitForJobs()
}

async function openCheckout({ api, database }: PaymentsSite): Promise<void> {
  const { rows } = await database.query<{ priceId: string }>(
    'SELECT price_id AS "priceId" FROM stripe_price WHERE current ORDER BY id LIMIT 1',
  )
  const email = `${process.pid}@newcomers.example`
  await signUp(api.url, email)
  const { headers } = await logIn(api.url, email)
  const { status, body } = await rawPost(api.url + urlOf(startCheckout), headers, {
    priceId: rows[0]?.priceId,
    success_url: api.url,
    cancel_url: api.url,
  })
  if (status !== 200) throw new Error(`A checkout responded with ${status}: ${body.toString()}`)
}

async function sweep(site: PaymentsSite): Promise<void> {
  await site.database.query(`INSERT INTO jobs.job (name, data) VALUES ('billing.sweep', '{}')`)
  await site.waitForSweeps()
}

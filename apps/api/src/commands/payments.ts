import { readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { BulkCloseError } from '../features/billing/index.ts'
import { WrongPaymentAccountError } from '../integrations/payments/payment-gateway.ts'
import { locationsFrom } from '../locations.ts'
import { formatMoney } from '../platform/money.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `What members pay.

  payments sync          brings the configured plans and prices to Stripe; may run again and again, and has to
                         whenever a plan or a price has changed. A price whose amount changed becomes a new one;
                         whoever pays the old one goes on paying it
  payments reconcile     compares every member's plans with Stripe's own list and corrects what differs; the workers
                         do it every night. Stops before it closes more than 5 plans and more than 5 % of the open
                         ones; with --force it closes them

  payments report        lists refunds that failed, payments that are up to the merchant to refund
                         (AUTOMATIC_REFUNDS=off), and payments that were refunded automatically

STRIPE_SECRET_KEY names the account, DATABASE_URL the database.
`

const afterBulkClose =
  "Nothing was changed. Check at Stripe that these subscriptions have ended, and run 'payments reconcile --force' if they have."

async function main(): Promise<void> {
  const [command, ...options] = process.argv.slice(2)
  if (command === undefined || command === '--help' || command === '-h') return print(usage)
  const isForced = command === 'reconcile' && options.includes('--force')
  const run = new Map([
    ['sync', sync],
    ['reconcile', (context: Context) => reconcile(context, isForced)],
    ['report', report],
  ]).get(command)
  if (run === undefined || options.length !== Number(isForced)) throw new ConfigurationError(usage)
  const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
  if (config.payments.stripe === null && command !== 'report') {
    throw new ConfigurationError('STRIPE_SECRET_KEY is not set: there is nothing to bring plans to.')
  }
  const context = createContext({ ...config, logLevel: 'warn' }, { name: 'payments', worksJobs: false })
  try {
    await context.ensureSiteApp()
    await run(context)
  } catch (error) {
    if (error instanceof WrongPaymentAccountError) throw new ConfigurationError(error.message)
    if (error instanceof BulkCloseError) throw new ConfigurationError(`${error.message}. ${afterBulkClose}`)
    throw error
  } finally {
    await context.close()
  }
}

async function sync({ syncCatalogue }: Context): Promise<void> {
  await syncCatalogue((line) => print(`${line}\n`))
}

async function reconcile(context: Context, isForced: boolean): Promise<void> {
  // A plan that changes tells its member, which a job does.
  await context.startJobs()
  const { subscriptions, customers, changes, problems } = await context.reconciliation.reconcile({
    onProgress: (line) => print(`${line}\n`),
    isForced,
  })
  for (const { memberId, planId, before, after } of changes) {
    print(`${memberId}: ${planId} was ${before}, is ${after}\n`)
  }
  print(
    `${subscriptions} subscriptions of ${customers} customers compared; ${changes.length} plans changed.\n`,
  )
  for (const { id, reason } of problems) print(`${id} could not be reconciled: ${reason}\n`)
  if (problems.length > 0) process.exitCode = 1
}

async function report({ refunds }: Context): Promise<void> {
  const rows = await refunds.report()
  for (const { status, amount, currency, reason, refundId, updatedAt, ...ids } of rows) {
    const money = formatMoney(amount, currency).replaceAll('\u00a0', ' ')
    const refund = refundId === null ? '' : `, refund ${refundId}`
    print(
      `${updatedAt.toISOString()} ${status} ${money} (${reason}): customer ${ids.customerId}, invoice ${ids.invoiceId}, ` +
        `payment ${ids.paymentIntentId}${refund}\n`,
    )
  }
  const count = (wanted: string) => rows.filter(({ status }) => status === wanted).length
  print(
    `${count('failed')} refunds failed, ${count('task')} payments to refund by hand, ${count('refunded')} refunded.\n`,
  )
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)

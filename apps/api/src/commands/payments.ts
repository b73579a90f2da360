import { readConfig } from '../config/config.ts'
import { ConfigurationError, processSettings } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { BulkCloseError } from '../features/billing/index.ts'
import { WrongPaymentAccountError } from '../integrations/payments/payment-gateway.ts'
import { locationsFrom } from '../locations.ts'
import { formatMoney } from '../platform/money.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `Manages payments.

  payments sync          updates products, prices and the billing portal at Stripe. Run it after every change of a
                         plan or price. A changed amount becomes a new price; members keep the price they have
  payments reconcile     compares every member's plans with Stripe and corrects differences, as the worker does every
                         night. Stops before closing more than 5 plans that are also more than 5 % of the open ones;
                         --force closes them
  payments report        lists failed refunds, payments to refund by hand (AUTOMATIC_REFUNDS=off), and automatic
                         refunds

Set STRIPE_SECRET_KEY to the account's key and DATABASE_URL to the database.
`

const afterBulkClose =
  "Nothing was changed. If these subscriptions have ended at Stripe, run 'payments reconcile --force'."

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
    throw new ConfigurationError(
      'STRIPE_SECRET_KEY is not set. Set it to the secret key of your Stripe account.',
    )
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
  // A changed plan enqueues an email.
  await context.startJobs()
  const { subscriptions, customers, changes, problems } = await context.reconciliation.reconcile({
    onProgress: (line) => print(`${line}\n`),
    isForced,
  })
  for (const { memberId, planId, before, after } of changes) {
    print(`${memberId}: ${planId} changed from ${before} to ${after}\n`)
  }
  print(
    `${subscriptions} subscriptions of ${customers} customers compared; ${changes.length} plans changed.\n`,
  )
  for (const { id, reason } of problems) print(`${id} was not reconciled: ${reason}\n`)
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
  const count = (counted: string) => rows.filter(({ status }) => status === counted).length
  print(`${count('failed')} failed, ${count('manual')} to refund by hand, ${count('refunded')} refunded.\n`)
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)

import { readConfig } from '../config/config.ts'
import { ConfigurationError, processEnv } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { BulkCloseError } from '../features/billing/index.ts'
import { WrongPaymentAccountError } from '../integrations/payments/payment-gateway.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `What members pay.

  payments sync          brings the configured plans and prices to Stripe; may run again and again, and has to
                         whenever a plan or a price has changed. A price whose amount changed becomes a new one;
                         whoever pays the old one goes on paying it
  payments reconcile     compares every member's plans with Stripe's own list and corrects what differs; the workers
                         do it every night. Stops before it closes more than 5 plans and more than 5 % of the open
                         ones; with --force it closes them

STRIPE_SECRET_KEY names the account, DATABASE_URL the database.
`

const afterBulkClose =
  "Nothing was changed. Check at Stripe that these subscriptions have ended, and run 'payments reconcile --force' if they have."

async function main(): Promise<void> {
  const [command, ...options] = process.argv.slice(2)
  if (command === undefined || command === '--help' || command === '-h') return print(usage)
  const isForced = command === 'reconcile' && options.includes('--force')
  const isKnown = (command === 'sync' || command === 'reconcile') && options.length === Number(isForced)
  if (!isKnown) throw new ConfigurationError(usage)
  const config = readConfig(processEnv(), locationsFrom(new URL('..', import.meta.url).href))
  if (config.payments.stripe === null) {
    throw new ConfigurationError('STRIPE_SECRET_KEY is not set: there is nothing to bring plans to.')
  }
  const context = createContext({ ...config, logLevel: 'warn' }, { name: 'payments', worksJobs: false })
  try {
    await context.ensureSiteApp()
    await (command === 'sync' ? sync(context) : reconcile(context, isForced))
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
  const { subscriptions, customers, changes, problems } = await context.reconciling.reconcile({
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

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)

import { readConfig } from '../config/config.ts'
import { ConfigurationError, processEnv } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'

const usage = `What members pay.

  payments sync          brings the configured plans and prices to Stripe; may run again and again, and has to
                         whenever a plan or a price has changed. A price whose amount changed becomes a new one;
                         whoever pays the old one goes on paying it
  payments reconcile     compares every member's plans with Stripe's own list and mends what differs; the workers
                         do it every night

STRIPE_SECRET_KEY names the account, DATABASE_URL the database.
`

async function main(): Promise<void> {
  const [command] = process.argv.slice(2)
  if (command === undefined || command === '--help' || command === '-h') return print(usage)
  if (command !== 'sync' && command !== 'reconcile') throw new ConfigurationError(usage)
  const config = readConfig(processEnv(), locationsFrom(new URL('..', import.meta.url).href))
  if (config.payments.stripe === null) {
    throw new ConfigurationError('STRIPE_SECRET_KEY is not set: there is nothing to bring plans to.')
  }
  const context = createContext({ ...config, logLevel: 'warn' }, { name: 'payments', worksJobs: false })
  try {
    await context.ensureSiteApp()
    await (command === 'sync' ? sync(context) : reconcile(context))
  } finally {
    await context.close()
  }
}

async function sync({ syncCatalogue }: Context): Promise<void> {
  await syncCatalogue((line) => print(`${line}\n`))
}

async function reconcile(context: Context): Promise<void> {
  // A plan that changes tells its member, which a job does.
  await context.startJobs()
  const { subscriptions, customers, changes } = await context.reconciling.reconcile((line) =>
    print(`${line}\n`),
  )
  for (const { memberId, planId, before, after } of changes) {
    print(`${memberId}: ${planId} was ${before}, is ${after}\n`)
  }
  print(
    `${subscriptions} subscriptions of ${customers} customers compared; ${changes.length} plans changed.\n`,
  )
}

function print(text: string): void {
  process.stdout.write(text)
}

main().catch(failToStart)

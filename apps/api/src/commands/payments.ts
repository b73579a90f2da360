import { ConfigurationError } from '../config/env.ts'
import type { Context } from '../context.ts'
import { BulkCloseError } from '../features/billing/index.ts'
import {
  PaymentsRefusedError,
  PaymentsUnavailableError,
  WrongPaymentAccountError,
} from '../integrations/payments/gateway-errors.ts'
import { registerJobs } from '../jobs.ts'
import { formatMoney } from '../platform/money.ts'
import { adviceOn, checkPayments } from './payments-check/check-payments.ts'
import { type Command, type Print, startCommand, withContext } from './run-command.ts'

const usage = `Manages payments.

  payments sync          updates products, prices and the billing portal at Stripe, and warns of settings of the
                         account. Run it once at first; \`app-config apply\` does the same after a changed price
  payments check         reads the account and says of each thing whether it is right or what to do. Changes nothing.
                         Exits with 1 if something must be done
  payments reconcile     compares every member's plans with Stripe and corrects differences, as the worker does every
                         night. Stops before closing more than 5 plans that are also more than 5 % of the open ones;
                         --force closes them
  payments report        lists failed refunds, payments to refund by hand (AUTOMATIC_REFUNDS=off), and automatic
                         refunds

Set STRIPE_SECRET_KEY to the account's key and DATABASE_URL to the database.
`

const afterBulkClose =
  "Nothing was changed. If these subscriptions have ended at Stripe, run 'payments reconcile --force'."

export const payments: Command = {
  usage,
  async run([command = '', ...options], readConfig, print) {
    const isForced = command === 'reconcile' && options.includes('--force')
    const run = new Map([
      ['sync', sync],
      ['check', check],
      ['reconcile', (context: Context) => reconcile(context, print, isForced)],
      ['report', report],
    ]).get(command)
    if (run === undefined || options.length !== Number(isForced)) throw new ConfigurationError(usage)
    const config = readConfig()
    if (config.payments.stripe === null && command !== 'report') {
      throw new ConfigurationError(
        'STRIPE_SECRET_KEY is not set. Set it to the secret key of your Stripe account.',
      )
    }
    return await withContext(config, 'payments', async (context) => {
      await context.ensureSiteApp()
      return await run(context, print)
    }).catch((error: unknown) => {
      if (error instanceof WrongPaymentAccountError) throw new ConfigurationError(error.message)
      if (error instanceof BulkCloseError) throw new ConfigurationError(`${error.message}. ${afterBulkClose}`)
      throw error
    })
  },
}

async function sync({ syncCatalog, accountCheck, config }: Context, print: Print): Promise<number> {
  await syncCatalog((line) => print(`${line}\n`))
  try {
    for (const line of adviceOn(await accountCheck.read(), config)) print(`${line}\n`)
  } catch (error) {
    if (!(error instanceof PaymentsUnavailableError || error instanceof PaymentsRefusedError)) throw error
    print(`note: The account's settings could not be read: ${error.message}. Run \`payments check\` later.\n`)
  }
  return 0
}

async function check({ accountCheck, config }: Context, print: Print): Promise<number> {
  const { text, isComplete } = checkPayments(await accountCheck.read(), config)
  print(text)
  return isComplete ? 0 : 1
}

async function reconcile(context: Context, print: Print, isForced: boolean): Promise<number> {
  // A changed plan enqueues an email.
  registerJobs(context)
  await context.start({ jobs: false, listening: false })
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
  return problems.length > 0 ? 1 : 0
}

async function report({ refunds }: Context, print: Print): Promise<number> {
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
  return 0
}

if (import.meta.main) await startCommand(payments)

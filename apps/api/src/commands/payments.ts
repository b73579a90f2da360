import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { BulkCloseError } from '../features/billing/index.ts'
import {
  PaymentsRefusedError,
  PaymentsUnavailableError,
  WrongPaymentAccountError,
} from '../integrations/payments/gateway-errors.ts'
import { registerJobs } from '../jobs.ts'
import { formatMoney } from '../platform/money.ts'
import {
  addExample,
  CommandError,
  type CommandLine,
  type Print,
  type Result,
  withContext,
} from './command-line.ts'
import { adviceOn, checkPayments } from './payments-check/check-payments.ts'

/** Defines the commands for payments through Stripe. */
export function definePayments(group: CommandUnknownOpts, cli: CommandLine): void {
  const define = (name: string, description: string, run: Run) => {
    const command = group
      .command(name)
      .description(description)
      .action(() => runWithPayments(cli, run))
    addExample(command, `tidings payments ${name}`)
  }
  define(
    'sync',
    'updates products, prices and the billing portal at Stripe, and warns of settings of the account. Run it once at first; `tidings app-config apply` does the same after a changed price',
    sync,
  )
  define(
    'check',
    'reads the account and says of each thing whether it is right or what to do. Changes nothing',
    check,
  )
  const reconciling = group
    .command('reconcile')
    .description(
      "compares every member's plans with Stripe and corrects differences, as the worker does every night. Stops before closing more than 5 plans that are also more than 5 % of the open ones",
    )
    .option('--force', 'closes them')
    .option('--yes', 'does not ask before --force')
    .action(async ({ force = false, yes }) => {
      if (force) await cli.confirm({ question: forced, isConfirmed: yes })
      await runWithPayments(cli, (context, print) => reconcile(context, print, { isForced: force }))
    })
  addExample(reconciling, 'tidings payments reconcile')
  const reporting = group
    .command('report')
    .description(
      'lists failed refunds, payments to refund by hand (AUTOMATIC_REFUNDS=off), and automatic refunds',
    )
    .action(() => cli.run(async () => withContext(await cli.readConfig(), 'payments', report)))
  addExample(reporting, 'tidings payments report')
}

type Run = (context: Context, print: Print) => Promise<Result>

const forced = 'Every plan whose subscription is not open at Stripe is closed, however many they are.'

const afterBulkClose =
  "Nothing was changed. If these subscriptions have ended at Stripe, run 'tidings payments reconcile --force'."

async function runWithPayments(cli: CommandLine, run: Run): Promise<void> {
  await cli.run(async (print) => {
    const config = await cli.readConfig()
    if (config.payments.stripe === null) {
      throw new CommandError('STRIPE_SECRET_KEY is not set. Set it to the secret key of your Stripe account.')
    }
    return await withContext(config, 'payments', async (context) => {
      await context.ensureSiteApp()
      return await run(context, print)
    }).catch((error: unknown) => {
      if (error instanceof WrongPaymentAccountError) throw new CommandError(error.message)
      if (error instanceof BulkCloseError) throw new CommandError(`${error.message}. ${afterBulkClose}`)
      throw error
    })
  })
}

async function sync({ syncCatalog, accountCheck, config }: Context, print: Print): Promise<Result> {
  const lines: string[] = []
  const add = (line: string) => {
    lines.push(line)
    print(`${line}\n`)
  }
  await syncCatalog(add)
  try {
    for (const line of adviceOn(await accountCheck.read(), config)) add(line)
  } catch (error) {
    if (!(error instanceof PaymentsUnavailableError || error instanceof PaymentsRefusedError)) throw error
    add(
      `note: The account's settings could not be read: ${error.message}. Run \`tidings payments check\` later.`,
    )
  }
  return { json: { lines } }
}

async function check({ accountCheck, config }: Context): Promise<Result> {
  const { text, ...json } = checkPayments(await accountCheck.read(), config)
  return { json, text, isIncomplete: !json.isComplete }
}

async function reconcile(
  context: Context,
  print: Print,
  { isForced }: { isForced: boolean },
): Promise<Result> {
  // A changed plan enqueues an email.
  registerJobs(context)
  await context.start({ jobs: false, listening: false })
  const json = await context.reconciliation.reconcile({
    onProgress: (line) => print(`${line}\n`),
    isForced,
  })
  const { subscriptions, customers, changes, problems } = json
  const lines = [
    ...changes.map(
      ({ memberId, planId, before, after }) => `${memberId}: ${planId} changed from ${before} to ${after}`,
    ),
    `${subscriptions} subscriptions of ${customers} customers compared; ${changes.length} plans changed.`,
    ...problems.map(({ id, reason }) => `${id} was not reconciled: ${reason}`),
  ]
  return { json, text: `${lines.join('\n')}\n`, isIncomplete: problems.length > 0 }
}

async function report({ refunds }: Context): Promise<Result> {
  const rows = await refunds.report()
  const lines = rows.map(({ status, amount, currency, reason, refundId, updatedAt, ...ids }) => {
    const money = formatMoney(amount, currency).replaceAll('\u00a0', ' ')
    const refund = refundId === null ? '' : `, refund ${refundId}`
    return (
      `${updatedAt.toISOString()} ${status} ${money} (${reason}): customer ${ids.customerId}, ` +
      `invoice ${ids.invoiceId}, payment ${ids.paymentIntentId}${refund}`
    )
  })
  const count = (counted: string) => rows.filter(({ status }) => status === counted).length
  const counts = { failed: count('failed'), manual: count('manual'), refunded: count('refunded') }
  lines.push(`${counts.failed} failed, ${counts.manual} to refund by hand, ${counts.refunded} refunded.`)
  return { json: { ...counts, rows }, text: `${lines.join('\n')}\n` }
}

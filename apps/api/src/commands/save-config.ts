import type { Context } from '../context.ts'
import { PaymentsRefusedError, PaymentsUnavailableError } from '../integrations/payments/gateway-errors.ts'
import type { Db } from '../platform/database.ts'
import type { AppConfig, PlanDefinition } from '../platform/membership-apps/app-config.ts'
import { applyAppConfig } from '../platform/membership-apps/membership-apps.ts'
import { formatMoney, minorUnits } from '../platform/money.ts'
import { CommandError, type Print } from './command-line.ts'

type Change = {
  target: { id: string; publicKey: string }
  /** Undefined for a new app. */
  stored: Pick<AppConfig, 'plans'> | undefined
  next: AppConfig
  isCatalogChanged: boolean
  /** Prints the saved changes. */
  saved: string
}

type Price = PlanDefinition['prices'][number]

const sales = `From now on the site shows and sells these prices. Until now it sold the previous ones.
A checkout that is already open can be paid for a day, at the price that it shows. A page that still shows a previous
price shows the new one and asks again. Members who pay already keep their price.
`

/**
 * Saves a configuration, with changed plans and prices at Stripe. Repeating it completes an interrupted run. Throws
 * {@link CommandError} when Stripe fails, with what was saved and what to do.
 */
export async function saveConfig(context: Context, change: Change, print: Print): Promise<void> {
  const { target, next, stored, isCatalogChanged, saved } = change
  const { catalogChange, database, invalidation, config } = context
  const save = (tx: Db) => applyAppConfig(tx, invalidation, { ...target, config: next })
  const app = { id: target.id, name: next.name, plans: next.plans }

  const sells = config.payments.stripe !== null && (await catalogChange.isSetUp())
  if (!sells || (!isCatalogChanged && (await catalogChange.isComplete(app)))) {
    await database.transaction(save)
    print(saved)
    const isFirst = config.payments.stripe !== null && !sells && isCatalogChanged
    if (isFirst) print('Run `tidings payments sync` next: Stripe does not have these plans and prices yet.\n')
    return
  }

  const onProgress = (line: string) => print(`Stripe: ${line}\n`)
  await orStop(
    () => catalogChange.save(app, save, onProgress),
    'Nothing was saved: the site still shows and sells the previous prices. Run the command again.',
  )
  print(saved)
  const lines = priceChanges(stored, next)
  for (const line of lines) print(`  ${line}\n`)
  if (lines.some((line) => !line.endsWith(added))) print(sales)
  await orStop(
    () => context.syncCatalog(onProgress),
    'The configuration is saved, and its prices are sold. Run the command again to complete the rest at Stripe.',
  )
}

/** Returns a line for each price that is new, changed or no longer sold. */
export function priceChanges(
  before: Pick<AppConfig, 'plans'> | undefined,
  { plans }: Pick<AppConfig, 'plans'>,
): string[] {
  const former = new Map((before?.plans ?? []).flatMap(({ prices }) => prices).map((one) => [one.id, one]))
  const prices = plans.flatMap((plan) => plan.prices)
  const ids = new Set(prices.map(({ id }) => id))
  return [
    ...prices.flatMap((price) => {
      const known = former.get(price.id)
      if (known === undefined) return [`${price.id}: ${formatted(price)}${added}`]
      return formatted(known) === formatted(price)
        ? []
        : [`${price.id}: ${formatted(known)} becomes ${formatted(price)}`]
    }),
    ...[...former.keys()].filter((id) => !ids.has(id)).map((id) => `${id}: no longer sold`),
  ]
}

const added = ' (new)'
const periods = { MONTHLY: ' a month', YEARLY: ' a year' }

function formatted({ amount, currency, interval }: Price): string {
  const money = formatMoney(minorUnits(amount, currency), currency).replaceAll('\u00a0', ' ')
  return interval === null ? money : `${money}${periods[interval]}`
}

async function orStop(call: () => Promise<void>, remedy: string): Promise<void> {
  try {
    await call()
  } catch (error) {
    const isPayment = error instanceof PaymentsUnavailableError || error instanceof PaymentsRefusedError
    if (!isPayment) throw error
    throw new CommandError(`Stripe failed: ${error.message}. ${remedy}`)
  }
}

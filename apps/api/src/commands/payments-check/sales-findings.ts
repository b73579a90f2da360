import type { CheckedAccount, CheckedApp } from '#features/billing/index.ts'
import type { AccountInspection } from '#integrations/payments/account-inspection.ts'
import type { CatalogPrice } from '#integrations/payments/payment-gateway.ts'
import { formatMoney } from '#platform/money.ts'
import { type Finding, note, ok, type Section, todo } from './finding.ts'

const syncIt = 'Run `tidings payments sync`.'

/** Checks whether Stripe has each app's products, prices and portal as configured. */
export function checkSales({ inspection, apps }: CheckedAccount): Section {
  const findings = apps.flatMap((app) =>
    app.configured.length === 0
      ? [note(`${app.id}: no plan has a price.`)]
      : [...prices(app, inspection), portal(app, inspection)],
  )
  return { title: 'Products, prices and portal', findings }
}

function prices({ id, configured, sold }: CheckedApp, { prices }: AccountInspection): Finding[] {
  const active = new Map(prices.filter(({ isActive }) => isActive).map((price) => [price.id, price]))
  const isSold = (wanted: CatalogPrice) =>
    sold.some((row) => {
      const found = row.current && row.priceId === wanted.priceId ? active.get(row.id) : undefined
      return (
        found?.isProductActive === true &&
        found.amount === wanted.amount &&
        found.currency === wanted.currency
      )
    })
  const unsold = configured.filter((wanted) => !isSold(wanted))
  const former = sold.filter((row) => !row.current && active.has(row.id))
  return [
    unsold.length === 0
      ? ok(`${id}: ${configured.length} prices are sold as configured.`)
      : todo(`${id}: Stripe doesn't sell ${unsold.map(nameOf).join(', ')}. ${syncIt}`),
    ...former.map((row) =>
      note(
        `${id}: ${row.id}, a former price of ${row.priceId}, is still active for checkouts that were open. \`tidings payments sync\` archives it a day after the change.`,
      ),
    ),
  ]
}

function nameOf({ priceId, amount, currency }: CatalogPrice): string {
  return `${priceId} at ${formatMoney(amount, currency).replaceAll('\u00a0', ' ')}`
}

function portal({ id, setup }: CheckedApp, { portals }: AccountInspection): Finding {
  const found = portals.find((one) => one.id === setup?.portalConfigurationId)
  if (found === undefined) return todo(`${id}: the billing portal isn't set up. ${syncIt}`)
  const isComplete = found.isActive && found.changesCard && found.cancels && found.showsInvoices
  return isComplete
    ? ok(`${id}: in the portal, members change their card, cancel, and find invoices.`)
    : todo(`${id}: the portal ${found.id} was changed or is not active. ${syncIt}`)
}

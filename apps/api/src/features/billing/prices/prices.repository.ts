import type { PaymentSetup, StripePrice } from '#generated/prisma/client.ts'
import type { OwnSales, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Db } from '#platform/database.ts'

export type StoredPrice = StripePrice
export type StoredSetup = PaymentSetup

/** A current or former price at Stripe. */
export type PriceRow = Omit<StripePrice, 'createdAt' | 'replacedAt'>

/** Returns an app's prices by Stripe's id. */
export async function readPrices(db: Db, appId: string): Promise<Map<string, PriceRow>> {
  const rows = await db.stripePrice.findMany({ where: { appId } })
  return new Map(rows.map((row) => [row.id, row]))
}

export async function readOwnSales(db: Db, appIds: Iterable<string>): Promise<OwnSales> {
  const ids = new Set(appIds)
  const rows = await db.stripePrice.findMany({
    where: { appId: { in: [...ids] } },
    distinct: ['productId'],
    select: { productId: true },
  })
  return { appIds: ids, productIds: new Set(rows.map(({ productId }) => productId)) }
}

/** Returns a subscription's price. One made by hand at Stripe counts as a price of its product, with the same interval if possible. */
export function findPriceOf(
  { priceId, productId, price }: Pick<Subscription, 'priceId' | 'productId' | 'price'>,
  prices: ReadonlyMap<string, PriceRow>,
): PriceRow | undefined {
  const fits = ({ interval, current }: PriceRow) => Number(interval === price.interval) * 2 + Number(current)
  const alike = [...prices.values()].filter((row) => row.productId === productId)
  return prices.get(priceId) ?? alike.toSorted((one, other) => fits(other) - fits(one))[0]
}

/** Returns what a configured price is and was sold as, the current one first. */
export async function listSoldPrices(db: Db, appId: string, priceId: string): Promise<StoredPrice[]> {
  return await db.stripePrice.findMany({
    where: { appId, priceId },
    orderBy: [{ current: 'desc' }, { replacedAt: { sort: 'desc', nulls: 'last' } }],
  })
}

/** Returns the current prices, and those that were replaced after an instant. */
export async function listSoldSince(db: Db, appId: string, after: Date): Promise<StoredPrice[]> {
  return await db.stripePrice.findMany({
    where: { appId, OR: [{ current: true }, { replacedAt: { gt: after } }] },
  })
}

/** Stores an app's prices; any other stored one is no longer current. */
export async function storePrices(
  tx: Db,
  appId: string,
  prices: readonly PriceRow[],
  now: Date,
): Promise<void> {
  const sold = prices.filter(({ current }) => current).map(({ id }) => id)
  await tx.stripePrice.updateMany({
    where: { appId, current: true, id: { notIn: sold } },
    data: { current: false, replacedAt: now },
  })
  for (const { id, ...price } of prices) {
    const update = price.current ? { ...price, replacedAt: null } : price
    await tx.stripePrice.upsert({ where: { id }, create: { id, ...price }, update })
  }
}

export async function findPortalConfiguration(db: Db, appId: string): Promise<string | null> {
  return (await findSetup(db, appId))?.portalConfigurationId ?? null
}

/** Returns what the last completed sync of an app stored; null before the first. */
export async function findSetup(db: Db, appId: string): Promise<StoredSetup | null> {
  return await db.paymentSetup.findUnique({ where: { appId } })
}

/** Marks an app whose changed prices the portal does not have yet. */
export async function markSetupPending(tx: Db, appId: string): Promise<void> {
  await tx.paymentSetup.updateMany({ where: { appId }, data: { isPending: true } })
}

export async function storeSetup(tx: Db, appId: string, configurationId: string, now: Date): Promise<void> {
  const setup = { portalConfigurationId: configurationId, syncedAt: now, isPending: false }
  await tx.paymentSetup.upsert({ where: { appId }, create: { appId, ...setup }, update: setup })
}

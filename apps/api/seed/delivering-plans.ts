import type { Context } from '#context.ts'
import { applyAppConfig } from '#platform/membership-apps/membership-apps.ts'

/** Lets the free plans of the site deliver, so that its seeded members receive editions without a payment. */
export async function deliverToFreePlans({ database, apps, invalidation }: Context): Promise<void> {
  const { id, publicKey, origins: _origins, plansById: _plansById, ...config } = await apps.siteApp()
  if (config.plans.every(({ delivers, prices }) => delivers || prices.length > 0)) return
  const plans = config.plans.map((plan) => (plan.prices.length > 0 ? plan : { ...plan, delivers: true }))
  await database.transaction((tx) =>
    applyAppConfig(tx, invalidation, { id, publicKey, config: { ...config, plans } }),
  )
}

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '#context.ts'
import { firstAppConfig } from '#platform/membership-apps/app-config.ts'
import { applyAppConfig } from '#platform/membership-apps/membership-apps.ts'

/** The ink of the site, which its buttons have too. */
const primaryButton = '#1c1b19'

/**
 * Gives the dialogs the site's color and lets free plans deliver, so that seeded members receive editions without a
 * payment. Changes only an app that still has its first configuration.
 */
export async function configureSiteApp(
  { database, apps, invalidation }: Context,
  name: string,
): Promise<void> {
  const { id, publicKey, origins: _origins, plansById: _plansById, ...config } = await apps.siteApp()
  if (!isDeepStrictEqual(config, firstAppConfig(name))) return
  const plans = config.plans.map((plan) => (plan.prices.length > 0 ? plan : { ...plan, delivers: true }))
  const branding = { ...config.branding, primaryButton }
  await database.transaction((tx) =>
    applyAppConfig(tx, invalidation, { id, publicKey, config: { ...config, branding, plans } }),
  )
}

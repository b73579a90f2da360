import type { z } from 'zod'
import { appConfigSchema } from '#platform/membership-apps/app-config.ts'
import { applyAppConfig } from '#platform/membership-apps/membership-apps.ts'
import type { TestApp } from '../test-app.ts'

type Settings = z.input<typeof appConfigSchema>

/** Changes the configuration of the site's app and invalidates it in every process. */
export async function changeApp(
  { context }: Pick<TestApp, 'context'>,
  change: Partial<Settings>,
): Promise<void> {
  const { database, invalidation, config: settings } = context
  const { appId: id, appPublicKey: publicKey } = settings.site
  const row = await database.db.membershipApp.findUniqueOrThrow({ where: { id } })
  const config = appConfigSchema.parse({ ...appConfigSchema.parse(row.config), ...change })
  await database.transaction((tx) => applyAppConfig(tx, invalidation, { id, publicKey, config }))
}

/** Adds plans to the site's app. */
export async function addPlans(
  site: Pick<TestApp, 'context'>,
  plans: NonNullable<Settings['plans']>,
): Promise<void> {
  const { plans: known } = await site.context.apps.siteApp()
  await changeApp(site, { plans: [...known, ...plans] })
}

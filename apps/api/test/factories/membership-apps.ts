import type { z } from 'zod'
import { appConfigSchema } from '#platform/membership-apps/app-config.ts'
import { applyAppConfig } from '#platform/membership-apps/membership-apps.ts'
import type { TestApp } from '../test-app.ts'

/** What an app decides about its members, besides the id and the key that it answers to. */
type NewApp = Partial<z.input<typeof appConfigSchema>> & { id: string; publicKey: string }

/** Makes another app beside the site's own; answers what its clients send. */
export async function addApp(
  { context }: Pick<TestApp, 'context'>,
  { id, publicKey, ...settings }: NewApp,
): Promise<Record<string, string>> {
  const { database, invalidation } = context
  const config = appConfigSchema.parse({ name: id, ...settings })
  await database.transaction((tx) => applyAppConfig(tx, invalidation, { id, publicKey, config }))
  return { 'x-api-key': publicKey, 'x-app-id': id }
}

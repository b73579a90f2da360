import type { z } from 'zod'
import { appConfigSchema } from '#platform/membership-apps/app-config.ts'
import { applyAppConfig } from '#platform/membership-apps/membership-apps.ts'
import type { TestApp } from '../test-app.ts'

/** An app's configuration with its id and key. */
type NewApp = Partial<z.input<typeof appConfigSchema>> & { id: string; publicKey: string }

/** Creates an app beside the site's own; returns the headers of its clients. */
export async function addApp(
  { context }: Pick<TestApp, 'context'>,
  { id, publicKey, ...settings }: NewApp,
): Promise<Record<string, string>> {
  const { database, invalidation } = context
  const config = appConfigSchema.parse({ name: id, ...settings })
  await database.transaction((tx) => applyAppConfig(tx, invalidation, { id, publicKey, config }))
  return { 'x-api-key': publicKey, 'x-app-id': id }
}

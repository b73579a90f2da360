import { appConfigSchema } from '../../src/platform/membership-apps/app-config.ts'
import { applyAppConfig } from '../../src/platform/membership-apps/membership-apps.ts'
import type { TestApp } from '../test-app.ts'

/** Makes another app beside the site's own; answers what its clients send. */
export async function addApp(
  { context }: Pick<TestApp, 'context'>,
  app: { id: string; publicKey: string; allowedOrigins?: string[] },
): Promise<Record<string, string>> {
  const { id, publicKey, allowedOrigins = [] } = app
  const { database, staleness } = context
  const config = appConfigSchema.parse({ name: id, allowedOrigins })
  await database.transaction((tx) => applyAppConfig(tx, staleness, { id, publicKey, config }))
  return { 'x-api-key': publicKey, 'x-app-id': id }
}

import { type EndToEndSite, startEndToEndSite } from '@tidings/launcher/end-to-end'
import type { TestProject } from 'vitest/node'

/** The running site whose API the integration tests call. */
type RunningSite = Pick<EndToEndSite, 'url' | 'publicKey' | 'inboxUrl' | 'guestOrigin'>

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the library's.
  interface ProvidedContext {
    site: RunningSite
  }
}

let site: EndToEndSite | undefined

/** Starts a seeded site from the bundles, for all files. */
export async function setup(project: TestProject): Promise<void> {
  site = await startEndToEndSite({ workers: 0, postgresSettings: { fsync: 'off' } })
  const { url, publicKey, inboxUrl, guestOrigin } = site
  project.provide('site', { url, publicKey, inboxUrl, guestOrigin })
}

export async function teardown(): Promise<void> {
  await site?.stop()
}

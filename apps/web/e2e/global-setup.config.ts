import { startEndToEndSite } from '@tidings/launcher/end-to-end'
import { siteUnderTest } from './site-under-test.config.ts'

/** Starts a seeded site, unless the environment names a running one; returns what stops it. */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (siteUnderTest.url() !== '') return undefined
  const site = await startEndToEndSite({ workers: 0 })
  siteUnderTest.announce(site)
  return () => site.stop()
}

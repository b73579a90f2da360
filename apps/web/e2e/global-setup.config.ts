import { startEndToEndSite } from '@tidings/launcher/end-to-end'
import { siteUnderTest } from './site-under-test.config.ts'

/** Brings up a seeded site of its own, unless one was named from outside; answers how to end it. */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (siteUnderTest.url() !== '') return undefined
  const site = await startEndToEndSite({ workers: 0 })
  siteUnderTest.announce(site)
  return () => site.stop()
}

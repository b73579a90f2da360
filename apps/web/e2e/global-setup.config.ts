import { startEndToEndSite } from '@tidings/launcher/end-to-end'
import { startGuestSite } from './membership/guest-site.ts'
import { siteUnderTest } from './site-under-test.config.ts'

/** Starts a seeded site, unless the environment names a running one, and a guest site; returns what stops them. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const site = siteUnderTest.url() === '' ? await startEndToEndSite({ workers: 0 }) : null
  if (site !== null) siteUnderTest.announce(site)
  const guestSite = await startGuestSite(Number(new URL(siteUnderTest.guestOrigin()).port))
  return async () => {
    await guestSite.stop()
    await site?.stop()
  }
}

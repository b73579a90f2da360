import { freePort } from '@tidings/launcher/free-port'
import type { Progress } from '@tidings/launcher/progress'
import { type Site, startSite } from '@tidings/launcher/site'
import type { Lifetime } from '../lifetime.ts'
import { productionSettings } from './api.ts'

/** A seeded site as readers find it, in production mode, with its worker, its inbox and a database of its own. */
export async function startWholeSite(lifetime: Lifetime, progress: Progress): Promise<Site> {
  return await progress.step('Starting a seeded site', async () => {
    const port = await freePort()
    const abort = new AbortController()
    const starting = startSite({
      port,
      env: { ...productionSettings, SITE_URL: `http://localhost:${port}` },
      fromSources: false,
      seed: true,
      signal: abort.signal,
      postgresSettings: { fsync: 'off' },
    })
    lifetime.atEnd(async () => {
      abort.abort()
      const site = await starting.catch(() => undefined)
      await site?.stop()
    })
    return await starting
  })
}

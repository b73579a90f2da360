import { freePort } from '@tidings/launcher/free-port'
import type { Progress } from '@tidings/launcher/progress'
import { type Site, startSite } from '@tidings/launcher/site'
import type { Lifetime } from '../programs/lifetime.ts'
import { productionSettings } from './api.ts'

/** Starts a complete seeded site in production mode, with its own database. */
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

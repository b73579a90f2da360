import { workerFlags } from '@tidings/launcher/worker-flags'
import type { Lifetime } from '../programs/lifetime.ts'
import { productionSettings, type Settings } from './api.ts'
import { builtWorker } from './built.ts'
import { type Server, startServer } from './server.ts'

/** Starts the built worker as in production. */
export function startWorker(
  lifetime: Lifetime,
  options: { name: string; siteUrl: string; databaseUrl: string; dataDir: string; settings: Settings },
): Server {
  return startServer(lifetime, {
    name: options.name,
    dataDir: options.dataDir,
    args: [...workerFlags, builtWorker],
    env: {
      ...productionSettings,
      SITE_URL: options.siteUrl,
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.dataDir,
      ...options.settings,
    },
  })
}

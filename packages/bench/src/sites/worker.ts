import { join } from 'node:path'
import { startChild } from '@tidings/launcher/child'
import { environmentWithoutSettings } from '@tidings/launcher/settings'
import type { Lifetime } from '../lifetime.ts'
import { productionSettings, type Settings } from './api.ts'
import { builtWorker } from './built.ts'

/** The built job process. */
type Worker = {
  pid: number
  /** Rejects with its last lines when it ends by itself. */
  failure: Promise<never>
}

/** Starts the built worker as in production. */
export function startWorker(
  lifetime: Lifetime,
  options: { name: string; siteUrl: string; databaseUrl: string; dataDir: string; settings: Settings },
): Worker {
  const child = startChild({
    name: options.name,
    args: [builtWorker],
    env: {
      ...environmentWithoutSettings(),
      ...productionSettings,
      SITE_URL: options.siteUrl,
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.dataDir,
      ...options.settings,
    },
    logFile: join(options.dataDir, 'logs', `${options.name}.log`),
  })
  lifetime.atEnd(child.stop)
  const failure = child.exited.then(async (how): Promise<never> => {
    throw new Error(`The worker ${how}. Its last lines:\n${await child.lastLines()}`)
  })
  failure.catch(() => {})
  return { pid: child.pid, failure }
}

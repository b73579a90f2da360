import { readConfig } from './config/config.ts'
import { processEnv } from './config/env.ts'
import { createContext } from './context.ts'
import { locationsFrom } from './locations.ts'
import { endInGoodOrder, failToStart } from './process-lifetime.ts'

/** The job process: publishing, announcing and cleaning up; no HTTP. */
async function main(): Promise<void> {
  const config = readConfig(processEnv(), locationsFrom(import.meta.url))
  const context = createContext(config, { name: 'worker', worksJobs: true })
  endInGoodOrder(context.logger, () => context.close())
  await context.startJobs()
  context.logger.info('working')
}

main().catch(failToStart)

import { setTimeout } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { collectGarbage } from './collect-garbage.ts'
import { readConfig } from './config/config.ts'
import { processSettings } from './config/env.ts'
import { createContext } from './context.ts'
import { registerJobs } from './jobs.ts'
import { locationsFrom } from './locations.ts'
import { closeGracefully, failToStart } from './process-lifetime.ts'

/** Runs the HTTP process: the site, the API and the live feed; jobs too, unless `API_JOBS=off`. */
async function main(): Promise<void> {
  const config = readConfig(processSettings(), locationsFrom(import.meta.url))
  const context = createContext(config, 'api')
  const app = await buildApp(context)
  const { readiness, drain, subscribers, deskEvents } = context
  const { drainMs } = config.http
  closeGracefully(context.logger, {
    drainMs,
    async drain() {
      drain.begin()
      subscribers.closeGradually('the server restarts', drainMs)
      deskEvents.sockets.closeGradually('the server restarts', drainMs)
      await setTimeout(drainMs)
    },
    async close() {
      readiness.stop()
      await app.close()
      await context.close()
    },
  })
  registerJobs(context)
  await context.ensureSiteApp()
  await context.start({ jobs: config.jobsInApi, listening: true })
  await context.editorKeys.ensureFirstKey(config.secrets.editorApiKey)
  await collectGarbage()
  const address = await app.listen({ port: config.http.port, host: config.http.host })
  readiness.start()
  context.logger.info({ address }, 'listening')
}

main().catch(failToStart)

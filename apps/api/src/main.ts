import { buildApp } from './app.ts'
import { readConfig } from './config/config.ts'
import { processSettings } from './config/env.ts'
import { createContext } from './context.ts'
import { locationsFrom } from './locations.ts'
import { closeGracefully, failToStart } from './process-lifetime.ts'

/** The HTTP process: the site, the API and the live feed; jobs too, unless `API_JOBS=off`. */
async function main(): Promise<void> {
  const config = readConfig(processSettings(), locationsFrom(import.meta.url))
  const context = createContext(config, { name: 'api', worksJobs: config.jobsInApi })
  const app = await buildApp(context)
  closeGracefully(context.logger, async () => {
    await app.close()
    await context.close()
  })
  await context.ensureSiteApp()
  await context.startJobs()
  await context.startListening()
  await context.editorKeys.ensureFirstKey(config.secrets.editorApiKey)
  const address = await app.listen({ port: config.http.port, host: config.http.host })
  context.logger.info({ address }, 'listening')
}

main().catch(failToStart)

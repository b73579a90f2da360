import {
  cloneTemplate,
  createFilledTemplate,
  testDatabaseName,
  testServerUrl,
} from '@tidings/launcher/test-database'
import { createContext } from '../src/context.ts'
import { registerJobs } from '../src/jobs.ts'
import { createCapturedLog } from './captured-log.ts'
import { testConfig } from './test-config.ts'

let databaseCount = 0

/** Creates a migrated database with the job queues and returns its URL. */
export async function createTestDatabase(): Promise<string> {
  databaseCount += 1
  const name = `${testDatabaseName('api')}_${process.pid}_${databaseCount}`
  const template = await createFilledTemplate(testServerUrl(), 'jobs', createQueues)
  return await cloneTemplate(testServerUrl(), name, template)
}

/** Creates the queues of all jobs, which costs more than the rest of a database. */
async function createQueues(databaseUrl: string): Promise<void> {
  const config = testConfig(databaseUrl, '', '')
  const { logger } = createCapturedLog()
  const context = createContext(config, 'template', { logger })
  registerJobs(context)
  await context.start({ jobs: false, listening: false })
  await context.close()
}

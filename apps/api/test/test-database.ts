import {
  cloneTemplate,
  createFilledTemplate,
  dropDatabases,
  testDatabaseName,
  testServerUrl,
} from '@tidings/launcher/test-database'
import { createContext } from '../src/context.ts'
import { registerJobs } from '../src/jobs.ts'
import { createCapturedLog } from './captured-log.ts'
import { testConfig } from './test-config.ts'

let databaseCount = 0
let template: Promise<string> | undefined
let names: string[] = []

/** Creates a migrated database with the job queues and returns its URL. It is dropped after the test file, or later. */
export async function createTestDatabase(): Promise<string> {
  databaseCount += 1
  const name = `${testDatabaseName('api')}_${process.pid}_${databaseCount}`
  template ??= createFilledTemplate(testServerUrl(), 'jobs', createQueues)
  names.push(name)
  return await cloneTemplate(testServerUrl(), name, await template)
}

/** Drops the databases of the worker's earlier test files. */
export async function dropTestDatabases(): Promise<void> {
  if (names.length > 0) await dropDatabases(testServerUrl(), names)
  names = []
}

/** Keeps a database after its test file. Returns the function that drops it. */
export function keepTestDatabase(url: string): () => Promise<void> {
  const kept = new URL(url).pathname.slice(1)
  names = names.filter((name) => name !== kept)
  return () => dropDatabases(testServerUrl(), [kept])
}

/** Creates the queues of all jobs, which costs more than the rest of a database. */
async function createQueues(databaseUrl: string): Promise<void> {
  // A pooler would keep a connection to the template, which could then not be cloned.
  const config = testConfig(databaseUrl, '', '', { DATABASE_URL: databaseUrl })
  const { logger } = createCapturedLog()
  const context = createContext(config, 'template', { logger })
  registerJobs(context)
  await context.start({ jobs: false, listening: false })
  await context.close()
}

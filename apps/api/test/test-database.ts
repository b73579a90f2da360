import { cloneTemplate, testDatabaseName, testServerUrl } from '@tidings/launcher/test-database'

let databaseCount = 0

/** Creates a migrated database and returns its URL. */
export async function createTestDatabase(): Promise<string> {
  databaseCount += 1
  return await cloneTemplate(testServerUrl(), `${testDatabaseName('api')}_${process.pid}_${databaseCount}`)
}

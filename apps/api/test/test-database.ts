import { cloneTemplate, testDatabaseName, testServerUrl } from '@tidings/launcher/test-database'

let made = 0

/** A fresh, migrated database of this test's own; answers its address. */
export async function createTestDatabase(): Promise<string> {
  made += 1
  return await cloneTemplate(testServerUrl(), `${testDatabaseName('api')}_${process.pid}_${made}`)
}

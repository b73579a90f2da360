import { startTestDatabase } from './database.ts'
import { adminUrlSetting, type TestServer } from './server.ts'

let server: TestServer | undefined

/** Starts PostgreSQL for the tests, which find it with `testServerUrl()`. */
export async function setup() {
  server = await startTestDatabase()
  process.env[adminUrlSetting] = server.adminUrl
}

export async function teardown() {
  await server?.stop()
}

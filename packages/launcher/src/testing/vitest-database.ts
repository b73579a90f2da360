import { startTestDatabase } from './database.ts'
import { adminUrlSetting, type TestServer } from './server.ts'

let server: TestServer | undefined

/** Vitest's global set-up for tests that need PostgreSQL: test processes find the server by `testServerUrl()`. */
export async function setup() {
  server = await startTestDatabase()
  process.env[adminUrlSetting] = server.adminUrl
}

/** Ends what `setup` started. */
export async function teardown() {
  await server?.stop()
}

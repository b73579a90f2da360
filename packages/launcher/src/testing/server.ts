import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { memoryFolder } from '../process/memory-folder.ts'
import { isAlive } from '../process/process-facts.ts'
import { cacheDir } from '../process/repository.ts'
import { isDockerAvailable, startContainer } from './container.ts'

/** Names a running server, which the test command starts once for all packages. */
export const adminUrlSetting = 'TIDINGS_TEST_DATABASE_ADMIN_URL'

export type TestServer = {
  /** Address of a database for creating and dropping others. */
  adminUrl: string
  /** `given` when the server was already running. */
  kind: 'container' | 'embedded' | 'given'
  /** Stops the server, unless it was given. */
  stop(): Promise<void>
}

/** Room for the databases of a whole test run. */
const neededBytes = 3_000_000_000

/** Starts a server for tests: the one in the environment, else a container, else the embedded one. */
export async function startTestServer(log: (line: string) => void): Promise<TestServer> {
  const given = process.env[adminUrlSetting]
  if (given) return { adminUrl: given, kind: 'given', stop: async () => {} }
  if (await isDockerAvailable()) {
    try {
      const container = await startContainer()
      log('Test database: PostgreSQL in a container')
      return { ...container, kind: 'container' }
    } catch (error) {
      log(
        `Docker is running, but PostgreSQL didn't start in it: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  // In memory if it fits, because a database is hundreds of new files.
  const folder = (await memoryFolder('test-postgres', neededBytes)) ?? join(cacheDir, 'test-postgres')
  await removeLeftovers(folder)
  const dataDir = join(folder, String(process.pid))
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_wal_size: '256MB' },
  })
  log('Test database: the embedded PostgreSQL')
  return { adminUrl: server.adminUrl, kind: 'embedded', stop: server.destroy }
}

/** Removes the servers of killed test runs. Each has a folder named after its process. */
async function removeLeftovers(folder: string) {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (!isAlive(Number(name))) await removeEmbeddedPostgres(join(folder, name))
  }
}

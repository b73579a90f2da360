import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { isAlive } from '../process/process-facts.ts'
import { cacheDir } from '../repository.ts'
import { dockerAnswers, startContainer } from './container.ts'

/** The setting that names a server which is running already, as the test command starts one for all packages. */
export const adminUrlSetting = 'TIDINGS_TEST_DATABASE_ADMIN_URL'

export type TestServer = {
  /** Address of a database from which others can be made and dropped. */
  adminUrl: string
  /** Where the server came from; `given` when it was running already. */
  kind: 'container' | 'embedded' | 'given'
  /** Ends what was started here: a given server stays. */
  stop(): Promise<void>
}

const embeddedDir = join(cacheDir, 'test-postgres')

/** The server for tests: the one named by the environment, else a container, else the embedded one. */
export async function startTestServer(say: (line: string) => void): Promise<TestServer> {
  const given = process.env[adminUrlSetting]
  if (given) return { adminUrl: given, kind: 'given', stop: async () => {} }
  if (await dockerAnswers()) {
    try {
      const container = await startContainer()
      say('Test database: PostgreSQL in a container')
      return { ...container, kind: 'container' }
    } catch (error) {
      say(`Docker answers, but gives no PostgreSQL: ${error instanceof Error ? error.message : error}`)
    }
  }
  await removeLeftOvers()
  const dataDir = join(embeddedDir, String(process.pid))
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  say('Test database: the embedded PostgreSQL')
  return { adminUrl: server.adminUrl, kind: 'embedded', stop: server.destroy }
}

/** Servers of test runs that were killed. Each lies in a folder named after its process. */
async function removeLeftOvers() {
  await mkdir(embeddedDir, { recursive: true })
  for (const name of await readdir(embeddedDir)) {
    if (!isAlive(Number(name))) await removeEmbeddedPostgres(join(embeddedDir, name))
  }
}

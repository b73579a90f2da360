import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { runMigrations } from '../postgres/migrations.ts'
import { repositoryRoot } from '../process/repository.ts'
import { adminUrlSetting, startTestServer, type TestServer } from './server.ts'

// Several test processes may create the template at once.
const templateLock = 7_483_920_115

/**
 * Starts a PostgreSQL server for tests with the migrated template: the one in the environment, else a container, else
 * the embedded server. Prints which one.
 */
export async function startTestDatabase(log: (line: string) => void = console.log): Promise<TestServer> {
  const database = await startTestServer(log)
  try {
    await createTemplate(database.adminUrl)
    return database
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Returns the address of the server that Vitest's global set-up has started. */
export function testServerUrl(): string {
  const url = process.env[adminUrlSetting]
  if (!url) throw new Error('There is no test server. Add vitest-database.ts as globalSetup of this project.')
  return url
}

/** Creates the migrated template database unless it exists, and returns its name. */
export async function createTemplate(adminUrl: string): Promise<string> {
  const name = await templateName()
  await createOnce(adminUrl, { name, source: 'template1', fill: runMigrations })
  return name
}

/** Creates a clone of the migrated template, filled by `fill`, unless it exists. Returns its name, to clone it. */
export async function createFilledTemplate(
  adminUrl: string,
  purpose: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const source = await templateName()
  const name = `${purpose}_of_${source}`
  await createOnce(adminUrl, { name, source, fill })
  return name
}

async function createOnce(
  adminUrl: string,
  { name, source, fill }: { name: string; source: string; fill: (url: string) => Promise<void> },
): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return
    const draft = `${name}_draft`
    await client.query(`drop database if exists ${draft} with (force)`)
    await client.query(`create database ${draft} template ${source}`)
    await fill(databaseAddress(adminUrl, draft))
    await client.query(`alter database ${draft} rename to ${name}`)
  })
}

/**
 * Clones a template, by default the migrated one, under a name, replacing an older clone, and returns its address. Use one
 * name per test process, from `testDatabaseName`.
 */
export async function cloneTemplate(adminUrl: string, name: string, template?: string): Promise<string> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
    throw new Error(`'${name}' is not a valid name for a test database.`)
  const source = template ?? (await templateName())
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    // Copying files takes a third of the time of copying pages through the log.
    await client.query(`create database ${name} template ${source} strategy file_copy`)
  })
  return databaseAddress(adminUrl, name)
}

/** Drops databases that a test no longer uses. */
export async function dropDatabases(adminUrl: string, names: string[]): Promise<void> {
  await withClient(adminUrl, async (client) => {
    for (const name of names) await client.query(`drop database if exists ${name} with (force)`)
  })
}

/** Returns the name of this test process's database, unique among the packages. */
export function testDatabaseName(packageName: string): string {
  return `test_${packageName.replaceAll(/[^a-z0-9]/g, '_')}_${process.env.VITEST_POOL_ID ?? '1'}`
}

/** Returns the address of another database on the same server. */
function databaseAddress(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Returns a name with a hash of the migrations, so that a change never uses an old template. */
async function templateName() {
  const folder = join(repositoryRoot, 'prisma/migrations')
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const hash = createHash('sha256')
  for (const { name } of names.sort((a, b) => a.name.localeCompare(b.name))) {
    hash.update(name).update(await readFile(join(folder, name, 'migration.sql')))
  }
  return `tidings_template_${hash.digest('hex').slice(0, 12)}`
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

/**
 * Returns the settings of a test database: through the pooler of the bench's check-pgbouncer, if it runs. The pooler leads
 * to the shared server only, not to one that a test starts for itself.
 */
export function testDatabaseSettings(databaseUrl: string): Record<string, string> {
  const pooler = process.env.TIDINGS_TEST_POOLER_URL
  if (pooler === undefined || new URL(databaseUrl).host !== new URL(testServerUrl()).host)
    return { DATABASE_URL: databaseUrl }
  const at = (server: string) => databaseAddress(server, new URL(databaseUrl).pathname.slice(1))
  return { DATABASE_URL: at(pooler), DATABASE_LISTEN_URL: at(testServerUrl()) }
}

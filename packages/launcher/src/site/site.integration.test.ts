import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findProcessFacts } from '../process/process-facts.ts'
import { cloneTemplate, testDatabaseName, testServerUrl } from '../testing/database.ts'
import { type Site, startSite } from './site.ts'

// The bundles, which the test task builds first, start much faster than the sources.
const fastOptions = { seed: false, postgresSettings: { fsync: 'off' } }
const withoutSandbox = { ...fastOptions, env: { SANDBOX: 'off' } }
let site: Site | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-site-test-'))
  await chmod(folder, 0o711)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await site?.stop()
  site = undefined
  await rm(folder, { recursive: true, force: true })
})

describe('startSite', () => {
  test('starts a site with its own password, inbox and database, and leaves nothing after its stop', async () => {
    vi.stubEnv('SITE_PASSWORD', 'from outside')
    site = await startSite(fastOptions)
    const { url, sitePassword, inboxUrl, identityUrl, publicKey, dataDir, pids } = site
    const pass = await fetch(`${url}/gate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: sitePassword }),
    })
    expect(pass.status).toBe(200)
    expect((await fetch(`${inboxUrl}/messages`)).status).toBe(200)
    expect((await fetch(`${identityUrl}/.well-known/openid-configuration`)).status).toBe(200)
    const app = await fetch(`${url}/app`, { headers: { 'x-api-key': publicKey } })
    expect(await app.json()).toMatchObject({
      data: { authProviders: [{ provider: 'local', name: 'Tidings ID' }] },
    })
    await site.stop()
    expect(existsSync(dataDir)).toBe(false)
    for (const pid of Object.values(pids)) expect(await findProcessFacts(pid)).toBeUndefined()
  })

  test('keeps the database in a given data folder', async () => {
    site = await startSite({ ...withoutSandbox, dataDir: folder, workers: 0 })
    await write(site.databaseUrl, `insert into rate_limit (key) values ('kept')`)
    await site.stop()
    site = await startSite({ ...withoutSandbox, dataDir: folder, workers: 0 })
    expect(await write(site.databaseUrl, `delete from rate_limit where key = 'kept'`)).toBe(1)
  })

  test('uses a given database and leaves it running', async () => {
    const databaseUrl = await cloneTemplate(testServerUrl(), testDatabaseName('launcher_site'))
    site = await startSite({ ...withoutSandbox, databaseUrl, fromSources: true })
    expect(site.databaseUrl).toBe(databaseUrl)
    await site.stop()
    expect(await write(databaseUrl, 'delete from rate_limit')).toBeGreaterThanOrEqual(0)
  })

  test('rejects with the reason when the API fails to start, and leaves nothing running', async () => {
    const env = { ...withoutSandbox.env, SITE_TIME_ZONE: 'Nowhere/Land' }
    await expect(startSite({ ...fastOptions, dataDir: folder, env })).rejects.toThrow('SITE_TIME_ZONE')
    expect(existsSync(join(folder, 'postgres/cluster/postmaster.pid'))).toBe(false)
  })
})

async function write(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rowCount
  } finally {
    await client.end()
  }
}

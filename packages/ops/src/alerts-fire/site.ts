import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { freePort } from '@tidings/launcher/free-port'
import { repositoryRoot } from '@tidings/launcher/repository'
import { runCommand } from '@tidings/launcher/run-command'
import { type Site, startSite } from '@tidings/launcher/site'
import pg from 'pg'
import { type Relay, startRelay } from './relay.ts'

/** A seeded site whose mail server and notifications can be cut off. */
export type FaultySite = Site & {
  workerPort: number
  token: string
  mail: Relay
  listener: Relay
  /** Runs one statement on the site's database. */
  sql(statement: string): Promise<void>
  /** Runs the command line of the site. Rejects with its output when it fails. */
  tidings(...args: string[]): Promise<void>
  /** Calls the editors' API. Rejects when it refuses. */
  desk(method: string, path: string, body?: object): Promise<void>
  /** Returns a Cookie header that has passed the gate. */
  passGate(): Promise<string>
}

/** Starts the site with `DATA_DIR` in a folder. `onStop` gets how to stop each part, in the order of the starts. */
export async function startFaultySite(
  folder: string,
  onStop: (end: () => Promise<unknown>) => void,
): Promise<FaultySite> {
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off' },
  })
  onStop(() => postgres.stop())
  const listener = await startRelay(postgres.port)
  const smtpPort = await freePort()
  const mail = await startRelay(smtpPort)
  for (const relay of [listener, mail]) onStop(() => relay.cut())
  const workerPort = await freePort()
  const listenUrl = new URL(postgres.url)
  listenUrl.port = String(listener.port)
  const token = 'alerts-fire'
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const settings = {
    DATABASE_LISTEN_URL: listenUrl.href,
    SMTP_PORT: String(smtpPort),
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    WORKER_METRICS_PORT: String(workerPort),
    METRICS_TOKEN: token,
  }
  const site = await startSite({
    dataDir,
    databaseUrl: postgres.url,
    env: settings,
    seedPictureWidthPx: 200,
  })
  onStop(() => site.stop())
  const authorization = `Bearer ${site.editorKey}`

  return {
    ...site,
    workerPort,
    token,
    mail,
    listener,
    async sql(statement) {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      await client.query(statement).finally(() => client.end())
    },
    async tidings(...args) {
      const env = { ...process.env, DATABASE_URL: postgres.url, DATA_DIR: dataDir, SITE_URL: site.url }
      const command = join(repositoryRoot, 'apps/api/dist/commands/tidings.js')
      const { code, stdout, stderr } = await runCommand(process.execPath, [command, ...args], { env })
      if (code !== 0) throw new Error(`tidings ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
    },
    async desk(method, path, body) {
      const response = await fetch(site.url + path, {
        method,
        headers: { authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    },
    async passGate() {
      const response = await fetch(`${site.url}/gate`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ password: site.sitePassword }),
      })
      if (!response.ok) throw new Error(`The gate responded with ${response.status}.`)
      return response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ')
    },
  }
}

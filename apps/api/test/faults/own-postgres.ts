import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { runMigrations } from '@tidings/launcher/migrations'

/** A migrated server that a test may stop and start. */
export type OwnPostgres = {
  url: string
  stop(): Promise<void>
  start(): Promise<unknown>
  /** Stops the server and deletes its data. */
  destroy(): Promise<void>
}

export async function startOwnPostgres(settings: Record<string, string> = {}): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidings-restart-'))
  const server = await startEmbeddedPostgres({ dataDir, settings })
  await runMigrations(server.url)
  return {
    url: server.url,
    stop: () => server.stop(),
    start: () => startEmbeddedPostgres({ dataDir, port: server.port, settings }),
    destroy: () => server.destroy(),
  }
}

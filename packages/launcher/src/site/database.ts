import { join } from 'node:path'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { keepPostgres } from '../postgres/watch.ts'
import { seedScript } from '../process/repository.ts'
import { runCommand } from '../process/run-command.ts'
import type { Supervision } from '../process/supervision.ts'

type Options = {
  dataDir: string
  settings: Record<string, string>
  /** Also deletes the data on stop. */
  temporary: boolean
  supervision: Supervision | undefined
  onProgress: (line: string) => void
}

/** Starts the embedded PostgreSQL of a site. Under supervision it restarts after a crash. */
export async function startDatabase({ dataDir, settings, temporary, supervision, onProgress }: Options) {
  onProgress('Starting PostgreSQL')
  const options = { dataDir: join(dataDir, 'postgres'), settings, onProgress }
  const server = await startEmbeddedPostgres(options)
  const stopWatching = supervision ? keepPostgres(server, options, supervision) : () => {}
  return {
    url: server.url,
    async stop() {
      stopWatching()
      await (temporary ? server.destroy() : server.stop())
    },
  }
}

type SeedOptions = {
  env: NodeJS.ProcessEnv
  pictureWidthPx: number | undefined
  signal: AbortSignal | undefined
  onProgress: (line: string) => void
}

/** Adds the seeded content and reports each item. */
export async function seed({ env, pictureWidthPx, signal, onProgress }: SeedOptions) {
  const args = [seedScript, ...(pictureWidthPx === undefined ? [] : [`--picture-width=${pictureWidthPx}`])]
  const { code, stdout, stderr } = await runCommand(process.execPath, args, {
    env,
    signal,
    onLine: onProgress,
  })
  if (code !== 0) throw new Error(`The seeded content could not be added:\n${stderr.trim() || stdout.trim()}`)
}

import { watchAncestors } from './process/ancestors.ts'
import { openProcessRecord, type ProcessRecord } from './process/process-record.ts'
import { type RequiredPort, requireFreePorts } from './process/required-ports.ts'
import { createProgress, type Progress } from './progress.ts'
import { dataDirFrom, loadEnvFile, portFrom } from './site/settings.ts'
import { type Site, type SiteOptions, startSite } from './site/site.ts'
import { describeStart } from './start-text.ts'

/** The differences between `start` and `dev`. */
export type Mode = {
  command: 'start' | 'dev'
  /** Returns ports besides those of the site. Called after `.env` is loaded. */
  ports?(): RequiredPort[]
  /** Runs before the site starts. Rejects with the reason when it fails. */
  prepare(progress: Progress, signal: AbortSignal): Promise<void>
  site: Pick<SiteOptions, 'watch' | 'onLine'>
  /** Starts what runs beside the site. Returns its rows for the table and how to stop it. */
  add?(site: Site, record: ProcessRecord): Promise<{ rows: [string, string][]; stop(): Promise<void> }>
}

/**
 * Runs a site until a signal, the death of its parent command or a fatal error. Exits with 0 after a signal and 1 after an
 * error.
 */
export async function launch(mode: Mode) {
  // A failed write to a closed terminal must not prevent the orderly end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const progress = createProgress()
  const began = Date.now()
  const ending = endOfRun()
  const stopWatching = await watchAncestors(() => ending.end('The command that started Tidings has ended.'))
  const stops: (() => Promise<void>)[] = []
  try {
    await Promise.race([bringUp(mode, progress, began, stops, ending), ending.reached])
    progress.say(`\n${await ending.reached}`)
  } catch (error) {
    process.exitCode = 1
    progress.say(`\n${error instanceof Error ? error.message : String(error)}`)
  }
  stopWatching()
  await stopAll(stops, progress)
  process.exit()
}

async function bringUp(
  mode: Mode,
  progress: Progress,
  began: number,
  stops: (() => Promise<void>)[],
  { signal, fail }: EndOfRun,
) {
  const ignored = loadEnvFile()
  if (ignored.length > 0)
    progress.say(`The shell has other values than .env, and wins: ${ignored.join(', ')}`)
  const dataDir = dataDirFrom(process.env)
  const [port, sandboxPort] = [portFrom('PORT', 3000), portFrom('SANDBOX_PORT', 3001)]
  const record = await openProcessRecord(dataDir, progress.say)
  stops.push(() => record.remove())
  await requireFreePorts(
    [
      { setting: 'PORT', port, purpose: 'the site' },
      { setting: 'SANDBOX_PORT', port: sandboxPort, purpose: 'the inbox' },
      ...(mode.ports?.() ?? []),
    ],
    mode.command,
  )
  const preparing = mode.prepare(progress, signal)
  stops.push(() => preparing.catch(() => {}))
  await preparing
  signal.throwIfAborted()
  const starting = progress.step('Starting Tidings', () =>
    startSite({
      ...mode.site,
      // As in production, a published edition can still be stopped before it is sent.
      env: { DELIVERY_DELAY_SECONDS: '60', ...process.env },
      port,
      sandboxPort,
      dataDir,
      signal,
      databaseUrl: process.env.DATABASE_URL || undefined,
      onProgress: (line) => progress.say(`  ${line}`),
      supervision: {
        say: progress.say,
        giveUp: fail,
        onStart: (child) => void record.add(child.name, child.pid),
      },
    }),
  )
  // An interrupted start first stops what it has started.
  stops.push(async () => (await starting.catch(() => undefined))?.stop())
  const site = await starting
  signal.throwIfAborted()
  const signInLink = site.isSeeded ? await site.makeSignInLink() : null
  const more = await mode.add?.(site, record)
  if (more) stops.push(() => more.stop())
  const started = { signInLink, rows: more?.rows ?? [], ms: Date.now() - began }
  progress.say(describeStart(site, mode.command, started))
}

/** Stops everything in reverse order, even when one step fails. */
async function stopAll(stops: (() => Promise<void>)[], progress: Progress) {
  if (stops.length === 0) return
  await progress.step('Stopping', async () => {
    for (const stop of stops.reverse()) {
      await stop().catch((error: unknown) => {
        process.exitCode = 1
        progress.say(error instanceof Error ? error.message : String(error))
      })
    }
  })
}

type EndOfRun = {
  /** Resolves with the reason of an orderly end. Rejects with a fatal error. */
  reached: Promise<string>
  /** Aborted as soon as `reached` settles. */
  signal: AbortSignal
  end(sentence: string): void
  fail(reason: Error): void
}

function endOfRun(): EndOfRun {
  const { promise: reached, resolve: end, reject: fail } = Promise.withResolvers<string>()
  const controller = new AbortController()
  reached.catch(() => {}).finally(() => controller.abort())
  process.on('SIGINT', () => end('Stopped with Ctrl-C.'))
  process.on('SIGTERM', () => end('Stopped by SIGTERM.'))
  process.on('SIGHUP', () => end('The terminal was closed.'))
  return { reached, signal: controller.signal, end, fail }
}

import { join } from 'node:path'
import { watchAncestors } from './process/ancestors.ts'
import { openProcessRecord, type ProcessRecord } from './process/process-record.ts'
import { type NeededPort, requireFreePorts } from './process/required-ports.ts'
import { createProgress, type Progress } from './progress.ts'
import { dataDirFrom, loadEnvFile, portFrom, seededLogin } from './site/settings.ts'
import { type Site, type SiteOptions, startSite } from './site/site.ts'
import { formatTable } from './table.ts'

/** What `start` and `dev` do differently. */
export type Mode = {
  command: 'start' | 'dev'
  /** Ports that it needs besides those of the site; read once `.env` is. */
  ports?(): NeededPort[]
  /** What has to happen before the site can run; rejects with the reason when it fails. */
  prepare(progress: Progress, signal: AbortSignal): Promise<void>
  site: Pick<SiteOptions, 'watch' | 'onLine'>
  /** Brings up what comes on top of the site; answers with its rows for the table and what stops it. */
  add?(site: Site, record: ProcessRecord): Promise<{ rows: [string, string][]; stop(): Promise<void> }>
}

/**
 * Runs a site until it is told to end by a signal or by the death of the command above it, or until it cannot go on. Sets the
 * exit code: 0 after an orderly end, 1 when something went wrong.
 */
export async function launch(mode: Mode) {
  // Writing to a terminal that was closed must not keep the rest from ending in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const progress = createProgress()
  const began = Date.now()
  const ending = endOfRun()
  const stopWatching = await watchAncestors(() => ending.end('The command that started Tidings is gone.'))
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
  loadEnvFile()
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
      env: process.env,
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
  // Interrupted half way, it first undoes what it had done: nothing is left behind unseen.
  stops.push(async () => (await starting.catch(() => undefined))?.stop())
  const site = await starting
  signal.throwIfAborted()
  const more = await mode.add?.(site, record)
  if (more) stops.push(() => more.stop())
  progress.say(describe(site, mode, more?.rows ?? [], Date.now() - began))
}

function describe(site: Site, { command }: Mode, rows: [string, string][], ms: number) {
  const table = formatTable([
    ...rows,
    ['Site', site.url],
    ['Inbox', site.inboxUrl || '(none: SANDBOX is off)'],
    ['Sign-in stand-in', site.identityUrl || '(none)'],
    ['Payments', site.stripeUrl ? `${site.stripeUrl}/stripe` : '(see STRIPE_SECRET_KEY)'],
    ['API reference', `${site.url}/docs`],
    ['Site password', site.sitePassword || '(none set: nobody gets in)'],
    ['Editor key', site.editorKey || '(none set)'],
    ['Membership app', site.appId],
    ['Public key', site.publicKey],
    ['Login', site.isSeeded ? `${seededLogin.email} / ${seededLogin.password}` : '(none seeded)'],
    ['Database', site.databaseUrl],
    ['Logs', join(site.logDir, '*.log')],
  ])
  const note = command === 'dev' ? 'changes to the sources are picked up' : 'data stays for the next start'
  return `\nTidings runs (${(ms / 1_000).toFixed(1)} s)\n\n${table}\n\n  Ctrl-C ends it; ${note}.\n`
}

/** Runs all of it, the latest first, whatever fails on the way. */
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
  /** Resolves with a sentence once the run is to end in order; rejects when it cannot go on. */
  reached: Promise<string>
  /** Aborted as soon as the end is reached, whichever. */
  signal: AbortSignal
  end(sentence: string): void
  fail(reason: Error): void
}

function endOfRun(): EndOfRun {
  const { promise: reached, resolve: end, reject: fail } = Promise.withResolvers<string>()
  const controller = new AbortController()
  reached.catch(() => {}).finally(() => controller.abort())
  process.on('SIGINT', () => end('Interrupted.'))
  process.on('SIGTERM', () => end('Asked to end.'))
  process.on('SIGHUP', () => end('The terminal is gone.'))
  return { reached, signal: controller.signal, end, fail }
}

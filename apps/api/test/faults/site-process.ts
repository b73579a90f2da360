import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { compileCache } from '../compile-cache.ts'
import { createFakeWebApp } from '../sites/fake-web-app.ts'
import { testEditorKey } from '../test-config.ts'

/** A process of the site: `src/main.ts` or `src/worker.ts`, started by Node as in development. */
export type SiteProcess = {
  pid: number
  /** The base URL; empty for a worker. */
  url: string
  /** The lines logged so far. */
  log: readonly LogLine[]
  isRunning(): boolean
  /** Sends a signal and waits for the exit. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export type LogLine = z.infer<typeof logLine>

export type SiteProcessOptions = { databaseUrl: string; env?: Record<string, string> }

const logLine = z.looseObject({ level: z.number(), msg: z.string(), address: z.string().optional() })
const errorLevel = 50

/** Starts the HTTP process on a free port; it is killed when the test ends. */
export async function startApiProcess(options: SiteProcessOptions): Promise<SiteProcess> {
  const hooks = new URL('./without-built-web-app.ts', import.meta.url).href
  return await start('main.ts', ['--import', hooks], options, (line) => line.address)
}

/** Starts a worker; resolves once it handles jobs. */
export async function startWorkerProcess(options: SiteProcessOptions): Promise<SiteProcess> {
  return await start('worker.ts', [], options, (line) => (line.msg === 'working' ? '' : undefined))
}

/** Returns the error lines of a process. */
export function errorsOf({ log }: SiteProcess): readonly LogLine[] {
  return log.filter(({ level }) => level >= errorLevel)
}

async function start(
  file: string,
  nodeArgs: string[],
  { databaseUrl, env = {} }: SiteProcessOptions,
  findUrl: (line: LogLine) => string | undefined,
): Promise<SiteProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-process-'))
  await createFakeWebApp(folder)
  const main = fileURLToPath(new URL(`../../src/${file}`, import.meta.url))
  const child = spawn(process.execPath, [...nodeArgs, main], {
    cwd: folder,
    env: {
      ...compileCache,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      EDITOR_API_KEY: testEditorKey,
      DATABASE_CONNECTIONS: '5',
      ...generousLimits,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  onTestFinished(async () => {
    await end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const log: LogLine[] = []
  const url = await readLog(child, log, findUrl)
  return {
    pid: child.pid ?? 0,
    url,
    log,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    end,
  }
}

/** All traffic of a test comes from one address; rate limits have their own tests. */
const generousLimits = {
  LIVE_SOCKETS_PER_NETWORK: '100000',
  RATE_GATE_TRIES_PER_MINUTE: '100000',
  RATE_GATE_TRIES_IN_ALL_PER_HOUR: '100000',
  RATE_ENTRY_BOX_PER_MINUTE: '100000',
  RATE_NEW_READERS_PER_HOUR: '100000',
  RATE_DESK_FAILURES_PER_MINUTE: '100000',
}

function readLog(
  child: ChildProcess,
  log: LogLine[],
  findUrl: (line: LogLine) => string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const errorOutput: string[] = []
    if (child.stdout === null || child.stderr === null) throw new Error('The process has no output.')
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = logLine.parse(JSON.parse(text))
      log.push(line)
      const url = findUrl(line)
      if (url !== undefined) resolve(url)
    })
    createInterface({ input: child.stderr }).on('line', (text) => void errorOutput.push(text))
    child.once('close', (code) =>
      reject(new Error(`The process ended with ${code} before it was ready:\n${errorOutput.join('\n')}`)),
    )
  })
}

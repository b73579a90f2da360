import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'

const stopTimeoutMs = 10_000

export type ChildOptions = {
  /** The name for people: `API`, `worker`. */
  name: string
  /** Arguments of Node, including the program's path. */
  args: string[]
  env: NodeJS.ProcessEnv
  cwd?: string
  /** Receives its output. The file of the previous run is kept as `.previous`. */
  logFile: string
  /** Also receives each line. Without it the child writes to the file itself and survives this process. */
  onLine?: (line: string) => void
}

export type Child = {
  name: string
  pid: number
  /** Resolves with how it ended, in words. Never rejects. */
  exited: Promise<string>
  /** Returns the last lines of its log. */
  lastLines(): Promise<string>
  /** Sends SIGTERM, then SIGKILL after 10 s, and waits until it has ended. */
  stop(): Promise<void>
}

/** Starts a Node program in its own process group, so that Ctrl-C doesn't reach it. */
export function startChild({ name, args, env, cwd, logFile, onLine }: ChildOptions): Child {
  mkdirSync(dirname(logFile), { recursive: true })
  const output = onLine ? 'pipe' : openSync(freshFile(logFile), 'a')
  const child = spawn(process.execPath, args, { env, cwd, detached: true, stdio: ['ignore', output, output] })
  if (onLine) collectLines(child, freshFile(logFile), onLine)
  let ended = false
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not start: ${error.message}`))
    child.on('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with code ${code}`))
  }).then((how) => {
    ended = true
    return how
  })
  return {
    name,
    pid: child.pid ?? 0,
    exited,
    lastLines: () => lastLinesOf(logFile),
    async stop() {
      if (ended) return
      signalGroup(child.pid, 'SIGTERM')
      const killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), stopTimeoutMs)
      await exited
      clearTimeout(killTimer)
      // `node --watch` may leave the program that it watched.
      signalGroup(child.pid, 'SIGKILL')
    },
  }
}

/** Sends a signal to a process group, if it still exists. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals) {
  if (!pid) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {}
}

/** Returns the last lines of a log, indented for a message. */
export async function lastLinesOf(logFile: string, count = 20): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '')
  const lines = text.trimEnd().split('\n').slice(-count)
  return lines.map((line) => `    ${line}`).join('\n')
}

function freshFile(logFile: string) {
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.previous`)
  return logFile
}

function collectLines(child: ReturnType<typeof spawn>, logFile: string, onLine: (line: string) => void) {
  const file = createWriteStream(logFile)
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      file.write(`${line}\n`)
      onLine(line)
    })
  }
  child.on('close', () => file.end())
}

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Lifetime } from './lifetime.ts'

const timeoutMs = 120_000

/** A program of this package in its own process, which handles one request at a time. */
export type Program = {
  pid: number
  /** Sends a request and resolves with the reply. Rejects when the program fails or takes two minutes. */
  request<Reply>(body: object): Promise<Reply>
}

/**
 * Starts a program of this package. Requests and replies are lines of JSON. A program exits when this process ends.
 * `nodeArgs` go before the program's path.
 */
export function startProgram(lifetime: Lifetime, script: URL, nodeArgs: string[] = [], env = {}): Program {
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(script)], {
    // In its own process group, so that Ctrl-C doesn't reach it.
    detached: true,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
  // The exit event reports a failed write.
  child.stdin.on('error', () => {})
  lifetime.atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { pid: child.pid ?? 0, request: sendLines(child, script, exited) }
}

function sendLines(
  child: ChildProcessByStdio<Writable, Readable, null>,
  script: URL,
  exited: Promise<void>,
): Program['request'] {
  const lines = createInterface({ input: child.stdout })
  const name = script.pathname.split('/').at(-1)
  return async (body) => {
    let timer: NodeJS.Timeout | undefined
    let onLine: (line: string) => void = () => {}
    try {
      const reply = new Promise<string>((resolve, reject) => {
        onLine = resolve
        lines.once('line', onLine)
        void exited.then(() => reject(new Error(`${name} ended before it replied.`)))
        timer = setTimeout(() => reject(new Error(`${name} did not reply within two minutes.`)), timeoutMs)
        child.stdin.write(`${JSON.stringify(body)}\n`)
      })
      const parsed = JSON.parse(await reply)
      if (parsed.failure !== undefined) throw new Error(`${name}: ${parsed.failure}`)
      return parsed.reply
    } finally {
      clearTimeout(timer)
      lines.off('line', onLine)
    }
  }
}

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Lifetime } from '../lifetime.ts'

const patienceMs = 120_000

/** A program of this package in a process of its own, which answers one question at a time. */
export type Program = {
  pid: number
  /** Sends a question and resolves with its answer; rejects when the program fails or takes two minutes. */
  ask<Answer>(question: object): Promise<Answer>
}

/**
 * Starts a program of this package. Questions and answers are lines of JSON; a program ends by itself when this
 * process is gone. `nodeArgs` go before the program's path.
 */
export function startProgram(lifetime: Lifetime, script: URL, nodeArgs: string[] = [], env = {}): Program {
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(script)], {
    // In a group of its own: Ctrl-C leaves its end to us.
    detached: true,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
  // Writing to a program that has just ended is told by its exit.
  child.stdin.on('error', () => {})
  lifetime.atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { pid: child.pid ?? 0, ask: askLines(child, script, exited) }
}

function askLines(
  child: ChildProcessByStdio<Writable, Readable, null>,
  script: URL,
  exited: Promise<void>,
): Program['ask'] {
  const lines = createInterface({ input: child.stdout })
  const name = script.pathname.split('/').at(-1)
  return async (question) => {
    let timer: NodeJS.Timeout | undefined
    let onLine: (line: string) => void = () => {}
    try {
      const answer = new Promise<string>((resolve, reject) => {
        onLine = resolve
        lines.once('line', onLine)
        void exited.then(() => reject(new Error(`${name} ended before it answered.`)))
        timer = setTimeout(() => reject(new Error(`${name} gave no answer in two minutes.`)), patienceMs)
        child.stdin.write(`${JSON.stringify(question)}\n`)
      })
      const parsed = JSON.parse(await answer)
      if (parsed.failure !== undefined) throw new Error(`${name}: ${parsed.failure}`)
      return parsed.answer
    } finally {
      clearTimeout(timer)
      lines.off('line', onLine)
    }
  }
}

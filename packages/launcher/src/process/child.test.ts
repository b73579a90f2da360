import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startChild } from './child.ts'
import { findProcessFacts } from './process-facts.ts'

let folder: string
let logFile: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-child-'))
  logFile = join(folder, 'logs/child.log')
})

afterEach(() => rm(folder, { recursive: true }))

function run(program: string, onLine?: (line: string) => void) {
  const options = { name: 'child', args: ['-e', program], env: process.env, logFile }
  return startChild(onLine ? { ...options, onLine } : options)
}

/** Starts a program and waits for its first line. */
async function running(program: string) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const child = run(program, resolve)
  return { child, line: await promise }
}

describe('startChild', () => {
  test('writes its output to the log and keeps the log of the previous run', async () => {
    await run('console.log("first")').exited
    const second = run('console.error("second")')
    expect(await second.exited).toBe('ended with code 0')
    expect(await second.lastLines()).toBe('    second')
    expect(await readFile(`${logFile}.previous`, 'utf8')).toBe('first\n')
  })

  test('lets the program end by itself on stop', async () => {
    const { child } = await running(
      'setInterval(() => {}, 1e3); process.on("SIGTERM", () => process.exit(7)); console.log("ready")',
    )
    await child.stop()
    expect(await child.exited).toBe('ended with code 7')
  })

  test('also ends the processes that the program started', async () => {
    const { child, line } = await running(
      `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'])
       setInterval(() => {}, 1e3); console.log(pid)`,
    )
    expect(await findProcessFacts(Number(line))).toBeDefined()
    await child.stop()
    await expect.poll(() => findProcessFacts(Number(line))).toBeUndefined()
  })

  test('reports a program that does not exist', async () => {
    const child = startChild({ name: 'child', args: [join(folder, 'no-such.ts')], env: process.env, logFile })
    expect(await child.exited).toBe('ended with code 1')
    expect(await child.lastLines()).toContain('no-such.ts')
  })
})

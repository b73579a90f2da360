import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { factsOf } from './process-facts.ts'
import { AlreadyRunningError, openProcessRecord } from './process-record.ts'

let dataDir: string
let path: string
let victim: ReturnType<typeof spawn>

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidings-record-'))
  path = join(dataDir, 'processes.json')
  victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  await once(victim, 'spawn')
})

afterEach(async () => {
  victim.kill('SIGKILL')
  await rm(dataDir, { recursive: true })
})

async function record(entries: { name: string; command?: string }[]) {
  const facts = await factsOf(victim.pid ?? 0)
  const full = entries.map((entry) => ({ pid: victim.pid, command: facts?.command, ...entry }))
  await writeFile(path, JSON.stringify(full))
}

describe('openProcessRecord', () => {
  test('a process that a killed start left behind is ended, and named', async () => {
    await record([{ name: 'API' }])
    const ended = once(victim, 'exit')
    const said: string[] = []
    await openProcessRecord(dataDir, (line) => said.push(line))
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(said.join()).toContain('left running: API')
  })

  test('a process that merely has the same number is left alone', async () => {
    await record([{ name: 'API', command: 'node some-other-program.js' }])
    await openProcessRecord(dataDir, () => {})
    expect(victim.exitCode).toBeNull()
    expect(victim.signalCode).toBeNull()
  })

  test('a start that still runs is not disturbed: the second one is told', async () => {
    await record([{ name: 'launcher' }])
    await expect(openProcessRecord(dataDir, () => {})).rejects.toThrow(AlreadyRunningError)
    expect(victim.signalCode).toBeNull()
  })

  test('a record that is no record is as good as none', async () => {
    await writeFile(path, '{ half')
    await expect(openProcessRecord(dataDir, () => {})).resolves.toBeDefined()
  })

  test('after an orderly end no record is left', async () => {
    const opened = await openProcessRecord(dataDir, () => {})
    await opened.add('API', victim.pid ?? 0)
    expect(existsSync(path)).toBe(true)
    await opened.remove()
    expect(existsSync(path)).toBe(false)
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findProcessFacts } from './process-facts.ts'
import { AlreadyRunningError, openProcessRecord } from './process-record.ts'

let dataDir: string
let path: string
let leftover: ReturnType<typeof spawn>

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidings-record-'))
  path = join(dataDir, 'processes.json')
  leftover = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  })
  await once(leftover, 'spawn')
})

afterEach(async () => {
  leftover.kill('SIGKILL')
  await rm(dataDir, { recursive: true })
})

async function record(entries: { name: string; command?: string }[]) {
  const facts = await findProcessFacts(leftover.pid ?? 0)
  const full = entries.map((entry) => ({ pid: leftover.pid, command: facts?.command, ...entry }))
  await writeFile(path, JSON.stringify(full))
}

describe('openProcessRecord', () => {
  test('ends and names a process that a killed start left', async () => {
    await record([{ name: 'API' }])
    const ended = once(leftover, 'exit')
    const lines: string[] = []
    await openProcessRecord(dataDir, (line) => lines.push(line))
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(lines.join()).toContain('earlier start: API')
  })

  test('leaves a process with the same id but another command alone', async () => {
    await record([{ name: 'API', command: 'node some-other-program.js' }])
    await openProcessRecord(dataDir, () => {})
    expect(leftover.exitCode).toBeNull()
    expect(leftover.signalCode).toBeNull()
  })

  test('rejects while another start is running', async () => {
    await record([{ name: 'launcher' }])
    await expect(openProcessRecord(dataDir, () => {})).rejects.toThrow(AlreadyRunningError)
    expect(leftover.signalCode).toBeNull()
  })

  test('ignores an invalid record', async () => {
    await writeFile(path, '{ half')
    await expect(openProcessRecord(dataDir, () => {})).resolves.toBeDefined()
  })

  test('removes the record after an orderly end', async () => {
    const opened = await openProcessRecord(dataDir, () => {})
    await opened.add('API', leftover.pid ?? 0)
    expect(existsSync(path)).toBe(true)
    await opened.remove()
    expect(existsSync(path)).toBe(false)
  })
})

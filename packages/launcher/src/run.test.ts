import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from './process/run-command.ts'

let checkout: string
let script: string

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'tidings-checkout-'))
  script = join(checkout, 'packages/launcher/src/run.js')
  await cp(join(import.meta.dirname, 'run.js'), script)
})

afterEach(() => rm(checkout, { recursive: true }))

describe('run.js', () => {
  test('names the missing packages after a failed install', async () => {
    await mkdir(join(checkout, 'node_modules/turbo'), { recursive: true })
    const { code, stderr } = await runCommand(process.execPath, [script, 'start'])
    expect(code).toBe(1)
    expect(stderr).toContain('missing: packages/launcher/node_modules/pg')
    expect(stderr).toContain('npx --yes pnpm@12 install')
  })

  test('lists the commands when it gets an unknown one', async () => {
    const real = join(import.meta.dirname, 'run.js')
    const { code, stderr } = await runCommand(process.execPath, [real, 'begin'])
    expect(code).toBe(1)
    expect(stderr).toContain('start, dev, test')
  })
})

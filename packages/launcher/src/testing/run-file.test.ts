import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runVitestFile } from './run-file.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-run-file-'))
  await mkdir(join(folder, '.reports'))
})

afterEach(() => rm(folder, { recursive: true }))

test('runs one file of a package with the arguments of its script', async () => {
  const scripts = { 'test:unit': 'vitest run --globals' }
  const manifest = JSON.stringify({ type: 'module', scripts })
  await writeFile(join(folder, 'package.json'), manifest)
  await writeFile(join(folder, 'sums.test.js'), "it('adds', () => expect(1 + 1).toBe(2))")
  await writeFile(join(folder, 'other.test.js'), "it('fails', () => expect(1).toBe(2))")
  const run = (name: string) =>
    runVitestFile(join(folder, '.reports/unit.json'), join(folder, `${name}.test.js`))
  expect(await run('sums')).toMatchObject({ totals: { passed: 1, failed: 0 } })
  expect(await run('other')).toMatchObject({ failures: [{ file: join(folder, 'other.test.js') }] })
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repositoryRoot } from '../process/repository.ts'
import { runCommand } from '../process/run-command.ts'
import { readResults, resultsFileSetting } from './results.ts'

const webDir = join(repositoryRoot, 'apps/web')
let folder: string

// Inside the package that installs Playwright, which the tests import.
beforeEach(async () => {
  await mkdir(join(webDir, '.reports'), { recursive: true })
  folder = await mkdtemp(join(webDir, '.reports/reporters-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function write(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

/** Runs a package's program in the folder, and returns what it reported. */
async function resultsOf(packageName: string, program: string, args: string[]) {
  const manifest = createRequire(join(webDir, 'package.json')).resolve(`${packageName}/package.json`)
  const results = join(folder, 'results.json')
  const env = { ...process.env, [resultsFileSetting]: results }
  const { code } = await runCommand(process.execPath, [join(dirname(manifest), program), ...args], {
    cwd: folder,
    env,
  })
  expect(code).toBe(1)
  return readResults(results)
}

const fileOf = (name: string) => relative(repositoryRoot, join(folder, name))

test("Vitest's results have each failure once, with file, title and message", async () => {
  await write({
    'vitest.config.mjs': `import { vitestResults } from '${join(import.meta.dirname, 'vitest-results.ts')}'
      export default { test: { globals: true, reporters: [vitestResults] } }`,
    'a.test.js': `describe('a sum', () => {
      it('adds', () => expect(1 + 1).toBe(2))
      it('takes away', () => { throw new Error('\\u001B[31mtoo little\\u001B[39m') })
      it.todo('multiplies')
    })`,
    'b.test.js': `throw new Error('no such module')`,
    'c.test.js': `describe('a hook', () => {
      beforeAll(() => { throw new Error('no database') })
      it('is not reached', () => {})
    })`,
    'd.test.js': `it('passes', () => void Promise.reject(new Error('not awaited')))`,
  })

  const { failures, ...counts } = await resultsOf('vitest', 'vitest.mjs', ['run', '--configLoader=native'])

  expect(counts).toEqual({ passed: 2, skipped: 2 })
  expect(failures.toSorted((a, b) => (a.message < b.message ? -1 : 1))).toEqual([
    { file: fileOf('c.test.js'), title: '', message: 'no database' },
    { file: fileOf('b.test.js'), title: '', message: 'no such module' },
    { file: null, title: 'outside tests', message: 'not awaited' },
    { file: fileOf('a.test.js'), title: 'a sum > takes away', message: 'too little' },
  ])
})

test("Playwright's results count a flaky test as a failure, and an error outside tests", async () => {
  await write({
    'playwright.config.mjs': `export default {
      retries: 1,
      reporter: '${join(webDir, 'e2e/results-reporter.config.ts')}',
      globalTeardown: './teardown.mjs',
    }`,
    'teardown.mjs': `export default () => { throw new Error('no site') }`,
    'a.spec.mjs': `import { expect, test } from '@playwright/test'
      test.describe('a door', () => {
        test('opens', () => {})
        test('closes', () => { throw new Error('no button') })
        test('opens again', ({}, { retry }) => { if (retry === 0) throw new Error('too late') })
        test.skip('locks', () => {})
      })`,
  })

  const { failures, ...counts } = await resultsOf('@playwright/test', 'cli.js', ['test'])

  expect(counts).toEqual({ passed: 1, skipped: 1 })
  expect(failures).toMatchObject([
    { file: null, title: 'outside tests', message: expect.stringContaining('no site') },
    { file: fileOf('a.spec.mjs'), title: 'a door › closes', message: expect.stringContaining('no button') },
    {
      file: fileOf('a.spec.mjs'),
      title: 'a door › opens again',
      message: expect.stringContaining('too late'),
    },
  ])
})

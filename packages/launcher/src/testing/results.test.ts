import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, nameOf, readResults } from './results.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-results-'))
})

afterEach(() => rm(folder, { recursive: true }))

describe('readResults', () => {
  test.each([
    ['of an interrupted runner', '{"passed": 3'],
    ['without failures', '{"passed": 3, "skipped": 0}'],
    ['without any test', '{"passed": 0, "skipped": 2, "failures": []}'],
  ])('rejects results %s', async (_, text) => {
    const path = join(folder, 'results.json')
    await writeFile(path, text)
    expect(() => readResults(path)).toThrow()
  })

  test('rejects missing results', () => {
    expect(() => readResults(join(folder, 'results.json'))).toThrow('ENOENT')
  })
})

describe('nameOf', () => {
  test.each([
    [join(import.meta.dirname, 'a.test.ts'), 'adds', 'packages/launcher/src/testing/a.test.ts › adds'],
    [join(import.meta.dirname, 'a.test.ts'), '', 'packages/launcher/src/testing/a.test.ts'],
    [null, 'outside tests', 'outside tests'],
  ])('names the failure of %s, test "%s"', (file, title, name) => {
    expect(nameOf(failureOf(file, title, 'no'))).toBe(name)
  })
})

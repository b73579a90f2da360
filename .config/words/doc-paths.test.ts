import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findDocProblems } from './doc-paths.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-docs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const decided = '# 1: One\n\nStatus: accepted, 2026-11-20\n'
const replaced = '# 2: Two\n\nStatus: superseded by 0001\n'
const adrs = { '.github/adr/0001-one.md': decided, '.github/adr/0002-two.md': replaced }

function problemsOf(files: Readonly<Record<string, string>>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const paths = Object.keys(files)
  return findDocProblems(folder, paths, paths).map(({ line, problem }) => `${line}: ${problem}`)
}

it.each([
  ['`features/likes/likes.service.ts`', []],
  ['`likes.service.ts`, and `apps/api/src/features/likes/`', []],
  ['`features/votes/votes.service.ts`', ["1: features/votes/votes.service.ts doesn't exist"]],
  ['`kes/likes.service.ts`', ["1: kes/likes.service.ts doesn't exist"]],
  ['`features/votes`', ["1: features/votes doesn't exist"]],
  ['`thing.service.ts` and `fixtures/NAME.json`', []],
  [
    '[decided](.github/adr/0001-one.md#decision), [folder](.github/adr), [site](https://example.com/a.md)',
    [],
  ],
  ['[moved](adr/0001-one.md)', ["1: adr/0001-one.md doesn't exist"]],
  ['ADR 1 and ADR [0001](.github/adr/0001-one.md)', []],
  ['ADR 0002', ['1: ADR 2 is superseded']],
  ['ADR 9', ["1: ADR 9 doesn't exist"]],
])('finds in %s what does not exist: %j', (text, problems) => {
  const files = { ...adrs, 'apps/api/src/features/likes/likes.service.ts': '', 'README.md': text }

  expect(problemsOf(files)).toEqual(problems)
})

it('finds the superseded ADR that a source names', () => {
  expect(problemsOf({ ...adrs, 'a.ts': 'one()\n// Kept: see ADR 0002.\n' })).toEqual([
    '2: ADR 2 is superseded',
  ])
})

it('accepts an ADR of 40 lines and refuses one of 41', () => {
  const lines = (count: number) => `${'a\n'.repeat(count)}`

  expect(problemsOf({ '.github/adr/0003-a.md': lines(40), '.github/adr/0004-b.md': lines(41) })).toEqual([
    '41: an ADR has at most 40 lines',
  ])
})

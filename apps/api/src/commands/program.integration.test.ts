import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { commands } from './program.ts'

const it = siteTest({ working: false }).extend(
  'run',
  { scope: 'file' },
  ({ site }) =>
    (...args: string[]) =>
      runInProcess(args, site.context.config),
)

/** Every command with its subcommands, as the help lists them. */
const subcommands = {
  doctor: [],
  keys: ['make', 'list', 'revoke', 'rotate-signing-key'],
  people: ['invite', 'link', 'list', 'remove'],
  members: ['find', 'export', 'delete'],
  'app-config': ['show', 'check', 'apply', 'list'],
  payments: ['sync', 'check', 'reconcile', 'report'],
  deliveries: ['summary', 'hold', 'release', 'allow-codes', 'confirm-instance', 'digest', 'check'],
  media: ['migrate'],
  search: ['reindex'],
  backup: [],
  restore: [],
  migrate: [],
  version: [],
}
const leaves = Object.entries(subcommands).flatMap(([name, below]) =>
  below.length === 0 ? [[name]] : below.map((each) => [name, each]),
)

const root = new URL('../../../../', import.meta.url)
const pages = ['README.md', '.github/OPERATING.md', '.github/PAYMENTS.md', 'packages/ops/RUNBOOK.md']

/** Returns the commands in the code of a page: their words until the first option or value, and their options. */
async function commandsIn(page: string): Promise<{ words: string[]; options: string[] }[]> {
  const text = await readFile(new URL(page, root), 'utf8')
  return [...text.matchAll(/(?:^|`|&& |worker |api )tidings (?!NAME|…)([a-z][^`\n|;]*)/gm)].map(
    ([, line = '']) => {
      const parts = line.split(' ')
      const first = parts.findIndex(
        (part, index) => !/^[a-z-]+$/.test(part) || part.startsWith('-') || index === 2,
      )
      return {
        words: first < 0 ? parts : parts.slice(0, first),
        options: parts.filter((part) => part.startsWith('--')),
      }
    },
  )
}

describe('tidings', () => {
  it.for(pages)('has every command and option that %s names', async (page, { run }) => {
    const named = await commandsIn(page)
    if (page.includes('OPERATING') || page.includes('RUNBOOK')) expect(named.length).toBeGreaterThan(10)
    for (const { words, options } of named) {
      const leaf = leaves.find((each) => each.every((word, index) => word === words[index]))
      const group = Object.keys(subcommands).find((name) => words.length === 1 && name === words[0])
      const found = leaf ?? (group === undefined ? undefined : [group])
      expect(found, words.join(' ')).toBeDefined()
      const { printed } = await run(...(found ?? []), '--help')
      for (const option of options) expect(printed, words.join(' ')).toContain(option.split('=')[0])
    }
  })

  it('lists every command in its help', async ({ run }) => {
    const { code, printed } = await run('--help')
    expect(code).toBe(0)
    expect(commands.map(({ name }) => name)).toEqual(Object.keys(subcommands))
    const lines = printed.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
    expect(lines).toEqual(expect.arrayContaining(commands.map(({ name, summary }) => ` ${name} ${summary}`)))
  })

  it.for(Object.entries(subcommands))('%s lists %j in its help', async ([name, below], { run }) => {
    const { code, printed } = await run(name, '--help')
    const listed = [...printed.matchAll(/^ {2}([a-z-]+)\b.*$/gm)].map(([, command]) => command)
    expect(code).toBe(0)
    expect(printed).toMatch(new RegExp(`^Usage: tidings ${name} `))
    expect(below.filter((each) => !listed.includes(each))).toEqual([])
    expect((await run('help', name)).printed).toBe(printed)
  })

  it.for(leaves)('%s %s shows its use with an example', async (words, { run }) => {
    const { code, printed } = await run(...words, '--help')
    expect(code).toBe(0)
    expect(printed).toMatch(new RegExp(`^Usage: tidings ${words.join(' ')} \\[options\\]`))
    expect(printed).toContain('--json')
    expect(printed).toContain(`\nExample:\n  tidings ${words.join(' ')}`)
  })

  it.for(leaves)('%s %s refuses an unknown option', async (words, { run }) => {
    const { code, printed, errors } = await run(...words, '--color')
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(errors).toContain("unknown option '--color'")
    expect(errors).toContain('Add --help')
  })

  it.for([[], ['keys'], ['payments']])(
    'shows the help of %j on standard error without a command',
    async (args, { run }) => {
      const { code, printed, errors } = await run(...args)
      expect({ code, printed }).toEqual({ code: 2, printed: '' })
      expect(errors).toContain(`Usage: ${['tidings', ...args].join(' ')}`)
    },
  )

  it('suggests the command that was meant', async ({ run }) => {
    const { code, errors } = await run('delivery')
    expect(code).toBe(2)
    expect(errors).toContain("unknown command 'delivery'")
    expect((await run('versoin')).errors).toContain('Did you mean version?')
  })

  it.for([
    ['keys', 'list'],
    ['keys', 'make', 'json'],
    ['keys', 'rotate-signing-key'],
    ['app-config', 'show'],
    ['app-config', 'list'],
    ['payments', 'report'],
    ['deliveries', 'summary'],
    ['deliveries', 'hold'],
    ['deliveries', 'release'],
    ['deliveries', 'allow-codes'],
    ['deliveries', 'digest', '11-20-26'],
    ['search', 'reindex'],
    ['version'],
  ])('prints one JSON document for %j', async (args, { run }) => {
    const { code, printed } = await run(...args, '--json')
    expect(code).toBe(0)
    expect(typeof JSON.parse(printed)).toBe('object')
  })
})

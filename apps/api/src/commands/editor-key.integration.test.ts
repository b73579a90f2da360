import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'
import { ConfigurationError } from '../config/env.ts'
import { editorKey } from './editor-key.ts'

const execute = promisify(execFile)
const command = fileURLToPath(new URL('./editor-key.ts', import.meta.url))
const failure = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })

const it = siteTest({ working: false })
  .extend('run', { scope: 'file' }, ({ site }) => async (...args: string[]): Promise<string> => {
    return (await runInProcess(editorKey, args, site.context.config)).printed
  })
  /** Runs the command in a process, as in a shell. */
  .extend(
    'runProcess',
    { scope: 'file' },
    ({ site }) =>
      async (args: string[], url = site.context.config.database.url): Promise<z.infer<typeof failure>> => {
        const env = { ...compileCache, DATABASE_URL: url }
        try {
          const { stdout, stderr } = await execute(process.execPath, [command, ...args], { env })
          return { code: 0, stdout, stderr }
        } catch (error) {
          return failure.parse(error)
        }
      },
  )

describe('editor-key', () => {
  it('creates a key with the requested scopes and prints it once', async ({ desk, run, runProcess }) => {
    const made = await runProcess(['make', 'anna', '--scopes', 'read,write'])

    const as = `Bearer ${made.stdout.trim()}`
    const editions = await desk.call('GET', '/editions', { as })
    const body = { status: 'published' }
    const publishing = await desk.call('PUT', '/editions/11-20-26-10AM', { body, as })
    const list = await run('list')
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tdk_[A-Za-z0-9]{40}\n$/) })
    expect(editions.statusCode).toBe(200)
    expect(publishing.statusCode).toBe(403)
    expect(list).toMatch(/^anna {2}\[read, write\] {2}last used /m)
    expect(list).not.toContain(made.stdout.trim())
  })

  it('revokes a key by its name, at once', async ({ desk, run }) => {
    const as = `Bearer ${(await run('make', 'bert')).trim()}`
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(200)

    expect(await run('revoke', 'bert')).toBe('Revoked one key called bert.\n')
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(401)
    expect(await run('list')).toMatch(/^bert {2}\[read, write, publish\] {2}revoked /m)
  })

  it.for([
    { args: ['revoke', 'dora'], says: 'There is no active key called dora.' },
    { args: ['make', 'carl', '--scopes', 'everything'], says: '--scopes takes read, write, publish' },
    { args: ['make', 'carl', '--scopes', ''], says: '--scopes takes read, write, publish' },
    { args: ['make'], says: 'editor-key make NAME' },
    { args: ['make', ' '], says: 'editor-key make NAME' },
    { args: ['make', 'x'.repeat(101)], says: 'editor-key make NAME' },
    { args: ['forget', 'carl'], says: 'editor-key make NAME' },
    { args: ['list', '--color'], says: "'--color'" },
  ])('explains the error in $args', async ({ args, says }, { run }) => {
    const error = await run(...args).catch((reason: unknown) => reason)

    expect(error).toBeInstanceOf(ConfigurationError)
    expect(String(error)).toContain(says)
  })

  it.for([
    { reason: 'invalid arguments', args: ['make'], url: '', says: 'editor-key make NAME' },
    {
      reason: 'an unavailable database',
      args: ['list'],
      url: 'postgresql://nobody@127.0.0.1:1/none',
      says: 'The database is unavailable',
    },
  ])('exits with 1 and no stack trace for $reason', async ({ args, url, says }, { runProcess }) => {
    const { code, stdout, stderr } = await runProcess(args, url)

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(says)
    expect(stderr).not.toContain('    at ')
  })
})

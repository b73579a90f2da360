import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { siteTest } from '#test/fixtures.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'

const execute = promisify(execFile)
const command = fileURLToPath(new URL('./tidings.ts', import.meta.url))
const failure = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })

const it = siteTest({ working: false })
  .extend(
    'run',
    { scope: 'file' },
    ({ site }) =>
      (...args: string[]) =>
        runInProcess(['keys', ...args], site.context.config),
  )
  /** Runs the command in a process, as in a shell. */
  .extend(
    'runProcess',
    { scope: 'file' },
    ({ site }) =>
      async (
        args: string[],
        url: string = site.context.config.database.url,
      ): Promise<z.infer<typeof failure>> => {
        const env = { ...compileCache, DATABASE_URL: url }
        try {
          const { stdout, stderr } = await execute(process.execPath, [command, 'keys', ...args], { env })
          return { code: 0, stdout, stderr }
        } catch (error) {
          return failure.parse(error)
        }
      },
  )

describe('keys', () => {
  it('creates a key with the requested scopes and prints it once', async ({ desk, run, runProcess }) => {
    const made = await runProcess(['make', 'anna', '--scopes', 'read,write'])

    const as = `Bearer ${made.stdout.trim()}`
    const editions = await desk.call('GET', '/editions', { as })
    const body = { status: 'published' }
    const publishing = await desk.call('PUT', '/editions/11-20-26-10AM', { body, as })
    const { printed: list } = await run('list')
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tdk_[A-Za-z0-9]{40}\n$/) })
    expect(editions.statusCode).toBe(200)
    expect(publishing.statusCode).toBe(403)
    expect(list).toMatch(/^anna {2}\[read, write\] {2}last used /m)
    expect(list).not.toContain(made.stdout.trim())
  })

  it('revokes a key by its name, at once', async ({ desk, run }) => {
    const as = `Bearer ${(await run('make', 'bert')).printed.trim()}`
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(200)

    expect((await run('revoke', 'bert', '--yes')).printed).toBe('Revoked one key called bert.\n')
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(401)
    expect((await run('list')).printed).toMatch(/^bert {2}\[read, write, publish\] {2}revoked /m)
  })

  it.for([
    { answer: undefined, code: 2, status: 200 },
    { answer: 'n', code: 1, status: 200 },
    { answer: '', code: 1, status: 200 },
    { answer: 'y', code: 0, status: 401 },
  ])('asks before it revokes: $answer', async ({ answer, code, status }, { desk, run, site }) => {
    const as = `Bearer ${(await run('make', 'cleo')).printed.trim()}`
    const revoked = await runInProcess(['keys', 'revoke', 'cleo'], site.context.config, answer)
    expect(revoked.code).toBe(code)
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(status)
    await run('revoke', 'cleo', '--yes')
  })

  it('lists names as JSON, without hashes', async ({ run }) => {
    await run('make', 'eve', '--scopes', 'read')
    const keys = z
      .array(z.looseObject({ name: z.string() }))
      .parse(JSON.parse((await run('list', '--json')).printed))
    expect(Object.keys(keys[0] ?? {})).toEqual(['name', 'scopes', 'createdAt', 'lastUsedAt', 'revokedAt'])
    expect(keys.map(({ name }) => name)).toContain('eve')
  })

  it.for([
    { args: ['revoke', 'dora', '--yes'], code: 1, says: 'There is no active key called dora.' },
    { args: ['make', 'carl', '--scopes', 'everything'], code: 2, says: 'It takes read, write, publish' },
    { args: ['make', 'carl', '--scopes', ''], code: 2, says: 'It takes read, write, publish' },
    { args: ['make'], code: 2, says: "missing required argument 'name'" },
    { args: ['make', ' '], code: 2, says: 'A name has 1 to 100 characters.' },
    { args: ['make', 'x'.repeat(101)], code: 2, says: 'A name has 1 to 100 characters.' },
    { args: ['forget', 'carl'], code: 2, says: "unknown command 'forget'" },
  ])('explains the error in $args', async ({ args, code, says }, { run }) => {
    const { errors, ...result } = await run(...args)

    expect(result).toEqual({ code, printed: '' })
    expect(errors).toContain(says)
  })

  it('ends quietly when the reader of its pipe has read enough', async () => {
    const shell = 'set -o pipefail; "$1" "$2" --help | true'
    const { stderr } = await execute('bash', ['-c', shell, 'bash', process.execPath, command])
    expect(stderr).toBe('')
  })

  it('exits with 1 and no stack trace when the database is unavailable', async ({ runProcess }) => {
    const { code, stdout, stderr } = await runProcess(['list'], 'postgresql://nobody@127.0.0.1:1/none')

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('The database is unavailable')
    expect(stderr).not.toContain('    at ')
  })
})

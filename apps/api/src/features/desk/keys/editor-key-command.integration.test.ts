import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileCache } from '#test/compile-cache.ts'
import { createTestDesk, type TestDesk } from '#test/desk.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const execute = promisify(execFile)
const command = fileURLToPath(new URL('../../../commands/editor-key.ts', import.meta.url))
const failure = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })

let databaseUrl: string
let testApp: TestApp
let desk: TestDesk

beforeAll(async () => {
  databaseUrl = await createTestDatabase()
  testApp = await startTestApp({ databaseUrl, working: false })
  desk = createTestDesk(testApp)
})
afterAll(() => testApp.close())

/** Runs the command as a person would. */
async function editorKey(args: string[], url = databaseUrl): Promise<z.infer<typeof failure>> {
  try {
    const { stdout, stderr } = await execute(process.execPath, [command, ...args], {
      env: { ...compileCache, DATABASE_URL: url },
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    return failure.parse(error)
  }
}

describe('editor-key', () => {
  it('makes a key with the scopes that were asked for, and shows it once', async () => {
    const made = await editorKey(['make', 'anna', '--scopes', 'read,write'])

    const as = `Bearer ${made.stdout.trim()}`
    const reading = await desk.call('GET', '/editions', { as })
    const publishing = await desk.call('PUT', '/editions/11-20-26-10AM', {
      body: { status: 'published' },
      as,
    })
    const { stdout: list } = await editorKey(['list'])
    expect(made.stdout).toMatch(/^tdk_[A-Za-z0-9]{40}\n$/)
    expect(reading.statusCode).toBe(200)
    expect(publishing.statusCode).toBe(403)
    expect(list).toMatch(/^anna {2}\[read, write\] {2}last used /m)
    expect(list).not.toContain(made.stdout.trim())
  })

  it('revokes a key by its name, at once', async () => {
    const made = await editorKey(['make', 'bert'])
    const as = `Bearer ${made.stdout.trim()}`
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(200)

    const revoked = await editorKey(['revoke', 'bert'])

    expect(revoked).toMatchObject({ code: 0, stdout: 'Revoked one key called bert.\n' })
    expect((await desk.call('GET', '/editions', { as })).statusCode).toBe(401)
    expect((await editorKey(['list'])).stdout).toMatch(/^bert {2}\[read, write, publish\] {2}revoked /m)
  })

  it.each([
    { args: ['revoke', 'nobody'], says: 'There is no live key called nobody.' },
    { args: ['make', 'carl', '--scopes', 'everything'], says: '--scopes takes read, write, publish' },
    { args: ['make', 'carl', '--scopes', ''], says: '--scopes takes read, write, publish' },
    { args: ['make'], says: 'editor-key make NAME' },
    { args: ['make', ' '], says: 'editor-key make NAME' },
    { args: ['make', 'x'.repeat(101)], says: 'editor-key make NAME' },
    { args: ['forget', 'carl'], says: 'editor-key make NAME' },
    { args: ['list', '--colour'], says: "'--colour'" },
  ])('says what is wrong with $args, without a stack', async ({ args, says }) => {
    const { code, stdout, stderr } = await editorKey(args)

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(says)
    expect(stderr).not.toContain('    at ')
  })

  it('says so when the database does not answer', async () => {
    const { code, stderr } = await editorKey(['list'], 'postgresql://nobody@127.0.0.1:1/none')

    expect(code).toBe(1)
    expect(stderr).toContain('The database is unavailable')
    expect(stderr).not.toContain('    at ')
  })
})

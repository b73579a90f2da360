import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeSignInLink } from './sign-in-link.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-link-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Makes a link with a script in place of the operators' command line. */
async function linkWith(source: string): Promise<string> {
  const script = join(folder, 'tidings.mjs')
  await writeFile(script, source)
  return await makeSignInLink(script, process.env, undefined)
}

describe('makeSignInLink', () => {
  test('returns the first line for the seeded owner, which is the link', async () => {
    const link = await linkWith(
      `console.log('http://localhost:3000/desk/sign-in/' + process.argv.slice(2).join('+')); console.log('It works once.')`,
    )
    expect(link).toBe('http://localhost:3000/desk/sign-in/people+link+owner@tidings.example')
  })

  test('rejects with the reason of the command', async () => {
    const making = linkWith(`console.error('The database is unavailable.'); process.exitCode = 1`)
    await expect(making).rejects.toThrow('There is no link to the desk:\nThe database is unavailable.')
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inviteOwner } from './invite-owner.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-invite-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Invites with a script in place of the operators' command line. */
async function inviteWith(source: string): Promise<string> {
  const script = join(folder, 'tidings.mjs')
  await writeFile(script, source)
  return await inviteOwner(script, process.env, undefined)
}

describe('inviteOwner', () => {
  test('invites the seeded owner, and returns the first line, which is the link', async () => {
    const link = await inviteWith(
      `console.log('http://localhost:3000/desk/invitation/' + process.argv.slice(2).join('+')); console.log('It works once.')`,
    )
    expect(link).toBe(
      'http://localhost:3000/desk/invitation/people+invite+owner@tidings.example+--role+owner',
    )
  })

  test('rejects with the reason of the command', async () => {
    const inviting = inviteWith(`console.error('The database is unavailable.'); process.exitCode = 1`)
    await expect(inviting).rejects.toThrow('The owner could not be invited:\nThe database is unavailable.')
  })
})

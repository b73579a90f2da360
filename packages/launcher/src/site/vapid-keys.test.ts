import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepVapidKeys } from './vapid-keys.ts'

test('the keys of notifications stay the same, also when two processes start at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-vapid-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [first, second] = await Promise.all([keepVapidKeys(folder), keepVapidKeys(folder)])
  expect(second).toEqual(first)
  expect(await keepVapidKeys(folder)).toEqual(first)
  expect(Buffer.from(first.publicKey, 'base64url')).toHaveLength(65)
  expect((await stat(join(folder, 'vapid-private-key'))).mode & 0o777).toBe(0o600)
})

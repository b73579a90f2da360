import { createECDH } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { encodePrivateKey, keepVapidKeys } from './vapid-keys.ts'

const fileName = 'vapid-private-key'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-vapid-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the keys of notifications stay the same, also when two processes start at once', async () => {
  const folder = await newFolder()
  const [first, second] = await Promise.all([keepVapidKeys(folder), keepVapidKeys(folder)])
  expect(second).toEqual(first)
  expect(await keepVapidKeys(folder)).toEqual(first)
  expect(Buffer.from(first.publicKey, 'base64url')).toHaveLength(65)
  expect((await stat(join(folder, fileName))).mode & 0o777).toBe(0o600)
  // No draft of the key stays behind, and no other name of its file, which some file systems refuse.
  expect(await readdir(folder)).toEqual([fileName])
  expect((await stat(join(folder, fileName))).nlink).toBe(1)
})

test('a process waits for the keys that another one is writing', async () => {
  const folder = await newFolder()
  const { privateKey } = await keepVapidKeys(await newFolder())
  const path = join(folder, fileName)
  await writeFile(path, '')
  const kept = keepVapidKeys(folder)
  // Long enough for the other to have read the empty file.
  for (let times = 0; times < 100; times += 1) expect(await readFile(path, 'utf8')).toBe('')
  await writeFile(path, privateKey)
  expect((await kept).privateKey).toBe(privateKey)
})

test('a key that begins with zeros has 32 bytes as well', () => {
  const short = Buffer.alloc(31, 7)
  const key = encodePrivateKey(short)
  expect(Buffer.from(key, 'base64url')).toEqual(Buffer.concat([Buffer.from([0]), short]))
  const [long, padded] = [createECDH('prime256v1'), createECDH('prime256v1')]
  long.setPrivateKey(short)
  padded.setPrivateKey(key, 'base64url')
  expect(padded.getPublicKey('hex')).toBe(long.getPublicKey('hex'))
})

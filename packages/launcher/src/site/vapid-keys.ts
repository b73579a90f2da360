import { createECDH } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** The keys that sign notifications (RFC 8292), in base64url. */
export type VapidKeys = { publicKey: string; privateKey: string }

const fileName = 'vapid-private-key'
const privateKeyBytes = 32
const privateKeyCharacters = 43
const maxWaits = 50
const waitMs = 100

/** Returns the keys of a data folder, which it makes at the first start: browsers subscribe with them. */
export async function keepVapidKeys(dataDir: string): Promise<VapidKeys> {
  const path = join(dataDir, fileName)
  const keyPair = createECDH('prime256v1')
  keyPair.generateKeys()
  // Of two processes that start at once, the second one takes the keys of the first.
  await writeFile(path, encodePrivateKey(keyPair.getPrivateKey()), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  const privateKey = await readPrivateKey(path)
  keyPair.setPrivateKey(privateKey, 'base64url')
  return { publicKey: keyPair.getPublicKey('base64url'), privateKey }
}

/** Returns a private key in base64url, with the zeros that it begins with. */
export function encodePrivateKey(key: Buffer): string {
  return Buffer.concat([Buffer.alloc(privateKeyBytes), key])
    .subarray(-privateKeyBytes)
    .toString('base64url')
}

/** Reads a private key, which another process may still be writing. */
async function readPrivateKey(path: string): Promise<string> {
  for (let waits = 0; waits < maxWaits; waits += 1) {
    const key = (await readFile(path, 'utf8')).trim()
    if (key.length === privateKeyCharacters) return key
    await setTimeout(waitMs)
  }
  throw new Error(`The key in ${path} is incomplete. Delete the file to make a new one.`)
}

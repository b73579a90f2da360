import { createECDH, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The keys that sign notifications (RFC 8292), in base64url. */
export type VapidKeys = { publicKey: string; privateKey: string }

const fileName = 'vapid-private-key'

/** Returns the keys of a data folder, which it makes at the first start: browsers subscribe with them. */
export async function keepVapidKeys(dataDir: string): Promise<VapidKeys> {
  const path = join(dataDir, fileName)
  const keyPair = createECDH('prime256v1')
  keyPair.generateKeys()
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, keyPair.getPrivateKey('base64url'), { mode: 0o600 })
  // Of two processes that start at once, the second one takes the keys of the first.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  const privateKey = (await readFile(path, 'utf8')).trim()
  keyPair.setPrivateKey(privateKey, 'base64url')
  return { publicKey: keyPair.getPublicKey('base64url'), privateKey }
}

import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './places/backup-error.ts'

/** The readers of an encrypted backup: the holder of an age key, or those who know a passphrase. */
export type Lock = { recipient: string } | { passphrase: string }

/** The keys of an encrypted backup. The passphrase is asked for when it is needed. */
export type Unlock = {
  identity: string | undefined
  /** Returns null without one. */
  readPassphrase: () => Promise<string | null>
}

const agePrefix = 'age-encryption.org/'
const passphraseStanza = '\n-> scrypt '
const headerBytes = 64

/** Encrypts a stream in the format of age, so that the program `age` opens it too. */
export async function encrypt(content: Readable, lock: Lock): Promise<Readable> {
  const encrypter = new Encrypter()
  if ('passphrase' in lock) encrypter.setPassphrase(lock.passphrase)
  else encrypter.addRecipient(lock.recipient)
  return fromWeb(await encrypter.encrypt(toWeb(content)))
}

/** Decrypts a stream of age; returns others as they are. Throws {@link BackupError} without what opens it. */
export async function decrypt(stored: Readable, name: string, unlock: Unlock): Promise<Readable> {
  const { start, content } = await peek(stored, headerBytes)
  if (!start.startsWith(agePrefix)) return content
  const decrypter = new Decrypter()
  if (start.includes(passphraseStanza)) {
    const passphrase = await unlock.readPassphrase()
    if (passphrase === null)
      throw new BackupError(
        `${name} is encrypted with a passphrase. Set BACKUP_PASSPHRASE, or name its file with --passphrase-file. Nothing was changed.`,
      )
    decrypter.addPassphrase(passphrase)
  } else {
    if (unlock.identity === undefined)
      throw new BackupError(
        `${name} is encrypted. Name the file of its age key with --identity. Nothing was changed.`,
      )
    decrypter.addIdentity(unlock.identity)
  }
  return fromWeb(await decrypter.decrypt(toWeb(content)))
}

/** Reads the start of a stream, and returns the whole of it. */
async function peek(content: Readable, bytes: number): Promise<{ start: string; content: Readable }> {
  const chunks: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let length = 0; length < bytes; ) {
    const { done, value } = await chunks.next()
    if (done === true) break
    first.push(value)
    length += value.byteLength
  }
  const whole = async function* () {
    yield* first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  const start = Buffer.concat(first).subarray(0, bytes).toString('latin1')
  return { start, content: Readable.from(whole(), { objectMode: false }) }
}

function toWeb(content: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      content.destroy()
    },
  })
}

function fromWeb(content: ReadableStream<Uint8Array>): Readable {
  return Readable.from(content, { objectMode: false })
}

import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'

/** Encrypts a stream in the format of age, for the holder of a key. */
export async function encrypt(content: Readable, recipient: string): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return fromWeb(await encrypter.encrypt(toWeb(content)))
}

/** Decrypts a stream of age with a key. */
export async function decrypt(content: Readable, identity: string): Promise<Readable> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return fromWeb(await decrypter.decrypt(toWeb(content)))
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

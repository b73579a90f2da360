import { sha256 } from '#platform/ids.ts'
import { createShortSigner } from '#platform/signing.ts'

const nameBytes = 16
const nameLength = 26

/** Returns a function that names uploads after their content, with a key, so that names can't be guessed. */
export function createPictureNames(secret: string): (upload: Uint8Array) => string {
  const { signatureOf } = createShortSigner(secret, 'picture names', nameBytes)
  return (upload) => {
    const digits = signatureOf(sha256(upload)).toString('hex')
    return `${BigInt(`0x${digits}`).toString(36).padEnd(nameLength, '0')}.jpg`
  }
}

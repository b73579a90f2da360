import { createShortSigner } from '#platform/signing.ts'

const nameBytes = 16
const nameLength = 26

/** Returns a function that names uploads after the SHA-256 of their content, with a key: names can't be guessed. */
export function createPictureNames(secret: string): (hash: string) => string {
  const { signatureOf } = createShortSigner(secret, 'picture names', nameBytes)
  return (hash) => {
    const digits = signatureOf(hash).toString('hex')
    return `${BigInt(`0x${digits}`).toString(36).padEnd(nameLength, '0')}.jpg`
  }
}

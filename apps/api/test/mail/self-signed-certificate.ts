import { generateKeyPairSync, sign } from 'node:crypto'

/** Encodes one element of DER: its tag, its length and its contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const lengthBytes = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents)
const objectId = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(objectId(0x55, 0x04, 0x03), der(0x0c, Buffer.from(commonName)))))
}

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`
}

/** Creates a key and a certificate that it signs itself, for `localhost` and the years 2020 to 2049. */
export function createSelfSignedCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = distinguishedName('localhost')
  const serialNumber = der(0x02, Buffer.from([1]))
  const validity = ['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)))
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const toBeSigned = sequence(serialNumber, ecdsaWithSha256, name, sequence(...validity), name, publicKeyInfo)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', sequence(toBeSigned, ecdsaWithSha256, signature)),
  }
}

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readDkim } from './dkim.ts'
import { ConfigurationError, readSettings } from './env.ts'

const pem = { publicKeyEncoding: { type: 'spki', format: 'pem' } } as const
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength, ...pem, privateKeyEncoding: pkcs8 }).privateKey
const key = rsa(2048)
const oneLine = key.replaceAll('\n', '\\n')
const { privateKey: ed25519 } = generateKeyPairSync('ed25519', { ...pem, privateKeyEncoding: pkcs8 })

function read(domain: string, from: string, privateKey = oneLine, selector = 's1') {
  const environment = { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY: privateKey }
  return readDkim(readSettings(environment).mail, from)
}

test.each([
  ['news.example.com', 'hello@news.example.com'],
  ['example.com', 'Tidings, Inc. <hello@news.example.com>'],
  ['mail.example.com', '"A@B" <hello@example.com>'],
  ['bücher.example', 'hello@bücher.example'],
])('a key of %s signs emails from %s', (domain, from) => {
  expect(read(domain, from)).toMatchObject({ selector: 's1', privateKey: key })
})

test.each([
  ['example.org', 'hello@example.com'],
  ['ample.com', 'hello@example.com'],
  ['news.example.com', 'hello@shop.example.com'],
])('a key of %s does not count for emails from %s', (domain, from) => {
  expect(() => read(domain, from)).toThrow(/^DKIM_DOMAIN is .* DMARC needs/)
})

test.each([
  ['no key', 'secret', 's1', /must be an RSA private key/],
  ['a key of 512 bits', rsa(512), 's1', /at least 1024 bits/],
  ['a key of another kind', ed25519, 's1', /must be an RSA private key/],
  ['half a key', oneLine.slice(0, 500), 's1', /must be an RSA private key/],
  ['a selector with its suffix', oneLine, 's1._domainkey', /DKIM_SELECTOR must be a name/],
  ['no selector', oneLine, '', /must be set together/],
])('%s is refused', (_name, privateKey, selector, message) => {
  const act = () => read('example.com', 'hello@example.com', privateKey, selector)
  expect(act).toThrow(ConfigurationError)
  expect(act).toThrow(message)
})

test('without settings the mail server signs', () => {
  expect(readDkim(readSettings({}).mail, 'hello@example.com')).toBeNull()
})

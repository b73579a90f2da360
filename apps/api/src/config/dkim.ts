import { createPrivateKey } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { ConfigurationError } from './env.ts'
import type { Settings } from './settings.ts'

const minBits = 1024
const name = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i

/** Returns the key that signs emails; null for none. Throws if receivers would not count its signatures. */
export function readDkim(
  { dkimDomain, dkimSelector: selector, dkimPrivateKey }: Settings['mail'],
  from: string,
) {
  if (dkimDomain === '' && selector === '' && dkimPrivateKey === '') return null
  if (dkimDomain === '' || selector === '' || dkimPrivateKey === '') {
    throw new ConfigurationError('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY must be set together')
  }
  const privateKey = dkimPrivateKey.replaceAll('\\n', '\n')
  if (bitsOf(privateKey) < minBits) {
    throw new ConfigurationError(
      'DKIM_PRIVATE_KEY must be an RSA private key in PEM of at least 1024 bits, better 2048',
    )
  }
  if (!name.test(selector) || selector.includes('_domainkey')) {
    throw new ConfigurationError('DKIM_SELECTOR must be a name such as s1, the one before ._domainkey in DNS')
  }
  const domain = domainToASCII(dkimDomain)
  const sender = domainToASCII(/@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? '')
  if (!isAligned(sender, domain)) {
    throw new ConfigurationError(
      `DKIM_DOMAIN is ${dkimDomain}, but emails come from ${sender} (MAIL_FROM): DMARC needs ${sender} or a domain above it`,
    )
  }
  return { domain, selector, privateKey }
}

/** The library signs with RSA only. */
function bitsOf(pem: string): number {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0
  } catch {
    return 0
  }
}

/** Whether one of the domains is the other or below it. DMARC's relaxed alignment asks for at least that. */
function isAligned(sender: string, domain: string): boolean {
  return domain !== '' && (`.${sender}`.endsWith(`.${domain}`) || domain.endsWith(`.${sender}`))
}

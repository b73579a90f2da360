import { createHash, createVerify } from 'node:crypto'

/** Returns whether a message has a valid DKIM signature of the key (RFC 6376, rsa-sha256, relaxed/relaxed). */
export function verifyDkim(source: string, publicKey: string): boolean {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const headers = head.split(/\r\n(?![ \t])/).map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1) }
  })
  const signature = headers.find(({ name }) => name === 'dkim-signature')?.value ?? ''
  const tags = new Map(
    signature.split(';').map((tag) => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim(), value.join('=').replaceAll(/\s/g, '')] as const
    }),
  )
  if (tags.get('a') !== 'rsa-sha256' || tags.get('c') !== 'relaxed/relaxed') return false
  const bodyHash = createHash('sha256')
    .update(relaxedBody(rest.join('\r\n\r\n')), 'latin1')
    .digest('base64')
  if (tags.get('bh') !== bodyHash) return false
  const left = [...headers]
  const signed = (tags.get('h') ?? '')
    .toLowerCase()
    .split(':')
    .flatMap((name) => {
      // A name that is signed twice means the last header first.
      const index = left.findLastIndex((each) => each.name === name)
      return index === -1 ? [] : left.splice(index, 1).map(relaxedHeader)
    })
  const own = relaxedHeader({ name: 'dkim-signature', value: signature.replace(/(\bb=)[^;]*$/, '$1') })
  return createVerify('sha256')
    .update([...signed, own].join('\r\n'), 'latin1')
    .verify(publicKey, tags.get('b') ?? '', 'base64')
}

function relaxedHeader({ name, value }: { name: string; value: string }): string {
  return `${name}:${value
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()}`
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
  return lines.join('\r\n').replace(/(\r\n)*$/, '\r\n')
}

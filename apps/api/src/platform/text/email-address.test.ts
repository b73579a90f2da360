import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { expect, test } from 'vitest'
import { maskAddress } from './email-address.ts'

test.each([
  ['ann@example.com', 'ann@example.com'],
  [' Ann.Lee@EXAMPLE.Com\n', 'ann.lee@example.com'],
  ['mailto:ann@example.com', 'ann@example.com'],
  ['MAILTO:Ann@example.com', 'ann@example.com'],
  ['ann+news@example.com', 'ann+news@example.com'],
  ["o'neil@example.com", "o'neil@example.com"],
  ['müller@exämple.com', 'müller@xn--exmple-cua.com'],
  ['mu\u0308ller@exa\u0308mple.com', 'müller@xn--exmple-cua.com'],
  ['ann@xn--exmple-cua.com', 'ann@xn--exmple-cua.com'],
  ['ａｎｎ@ｅxample．com', 'ann@example.com'],
  ['ann\u200b@\u2060example.com\ufeff', 'ann@example.com'],
  ['ann\u202e@example.com', 'ann@example.com'],
  ['Ann <Ann@Example.com>', 'ann@example.com'],
  ['ann@example.com.', 'ann@example.com'],
  ['mailto:mailto:ann@example.com', 'ann@example.com'],
  ['info@bücher。example', 'info@xn--bcher-kva.example'],
  // The joiner belongs to the name of the domain.
  ['ali@نامه\u200cای.com', 'ali@xn--mgba3gch31f060k.com'],
  // Other letters than their compatibility forms, so another mailbox.
  ['ﬁnn@example.com', 'ﬁnn@example.com'],
  ['ann²@example.com', 'ann²@example.com'],
  ['ann@sub.example.co.uk', 'ann@sub.example.co.uk'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('parses %j as %s', (text, address) => {
  expect(parseEmailAddress(text)).toBe(address)
})

test.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@example',
  'ann@.com',
  'ann@example..com',
  'ann@-example.com',
  'ann@127.0.0.1',
  'ann@[127.0.0.1]',
  'ann@example.c0m',
  '.ann@example.com',
  'ann.@example.com',
  'an..n@example.com',
  'ann lee@example.com',
  'ann@exam ple.com',
  'ann@example.com/path',
  'ann@example%2ecom',
  'ann@bea@example.com',
  'ann@example.com,bea@example.com',
  'ann@example.com;bea@example.com',
  'bea@example.com <ann@example.com>',
  'علی\u200cرضا@example.com',
  '"ann"@example.com',
  'ann@example.com\r\nBcc: bea@example.com',
  'ann\u0000@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a'.repeat(64)}.com`,
  `ann@${'example.'.repeat(40)}com`,
])('rejects %j', (text) => {
  expect(parseEmailAddress(text)).toBeNull()
})

test('parses its own output unchanged', () => {
  const address = parseEmailAddress('Bea.MÜLLER@Exämple.COM') ?? ''
  expect(parseEmailAddress(address)).toBe(address)
})

test.each([
  ['jane.doe@example.com', 'j•••@example.com'],
  ['j@example.com', 'j•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
  ['🦊fox@example.com', '🦊•••@example.com'],
  ['@example.com', '•••'],
  ['nowhere', '•••'],
  ['', '•••'],
])('masks %s as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown)
})

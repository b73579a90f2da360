import { expect, test } from 'vitest'
import { maskAddress } from './mask-address.ts'

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

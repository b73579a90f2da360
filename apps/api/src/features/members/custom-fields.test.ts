import { limits } from '@tidings/contracts/limits'
import { expect, it } from 'vitest'
import { appConfigSchema } from '#platform/membership-apps/app-config.ts'
import { readCustomFields } from './custom-fields.ts'

it('limits all custom fields of a member together, including stored ones', () => {
  const keys = Array.from({ length: 30 }, (_, index) => `field-${index}`)
  const config = { name: 'A site', customFields: keys.map((key) => ({ key, label: key })) }
  const { customFields } = appConfigSchema.parse(config)
  const full = 'x'.repeat(limits.customFieldCharacters)
  const half = Object.fromEntries(keys.slice(0, 15).map((key) => [key, full]))
  const rest = Object.fromEntries(keys.slice(15).map((key) => [key, full]))
  expect(readCustomFields(customFields, half)).toEqual(half)
  expect(() => readCustomFields(customFields, rest, half)).toThrow(
    "'customFields' can have at most 50,000 bytes",
  )
})

import { limits } from '@tidings/contracts/limits'
import { describe, expect, it } from 'vitest'
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

describe('the value of a text field', () => {
  const { customFields } = appConfigSchema.parse({
    name: 'A site',
    customFields: [{ key: 'name', label: 'Name' }],
  })

  it.each<[string, unknown]>([
    ['a list', []],
    ['a nested list', [[['x']]]],
    ['an object', { toString: 'x' }],
    ['a text that is too long', 'x'.repeat(limits.customFieldCharacters + 1)],
  ])('is not %s', (_what, name) => {
    expect(() => readCustomFields(customFields, { name })).toThrow('Name')
  })

  it.each([
    ['a number', 7, '7'],
    ['null', null, null],
    ['the longest text', 'x'.repeat(limits.customFieldCharacters), 'x'.repeat(limits.customFieldCharacters)],
  ])('is %s', (_what, name, stored) => {
    expect(readCustomFields(customFields, { name })).toEqual({ name: stored })
  })
})

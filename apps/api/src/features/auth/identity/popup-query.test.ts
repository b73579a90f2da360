import { popupQuery } from '@tidings/contracts/membership/popups'
import { describe, expect, it } from 'vitest'
import { readSignupFields } from './popup-query.ts'

const read = (customFields?: string, plans?: string) =>
  readSignupFields(popupQuery.parse({ provider: 'local', customFields, plans }))

describe('readSignupFields', () => {
  it.each([
    ['nothing', undefined, undefined, {}, []],
    ['empty texts', '', '', {}, []],
    ['JSON', '{"a":"1"}', '[{"planId":"p"}]', { a: '1' }, [{ planId: 'p' }]],
    [
      'URL-encoded JSON',
      encodeURIComponent('{"a":"100% ä"}'),
      encodeURIComponent('[{"planId":"p"}]'),
      { a: '100% ä' },
      [{ planId: 'p' }],
    ],
    ['JSON that looks URL-encoded', '{"a":"%7B%zz"}', '[]', { a: '%7B%zz' }, []],
    ['the text of missing values', 'undefined', 'null', {}, []],
    ['broken JSON', '{"a"', '[{', {}, []],
    ['a list for the fields, an object for the plans', '["a"]', '{"planId":"p"}', {}, []],
    ['plans without an id', '{}', '[{"id":"p"}]', {}, []],
    ['too many plans', '{}', JSON.stringify(Array(21).fill({ planId: 'p' })), {}, []],
    ['other keys of a plan', '{}', '[{"planId":"p","status":"ACTIVE"}]', {}, [{ planId: 'p' }]],
    [
      'characters that Postgres cannot store',
      '{"a":"x\\u0000y\\ud800"}',
      '[{"planId":"p\\u0000"}]',
      { a: 'xy\ufffd' },
      [{ planId: 'p' }],
    ],
  ])('reads %s', (_what, customFields, plans, fields, chosen) => {
    expect(read(customFields, plans)).toEqual({ customFields: fields, plans: chosen })
  })

  it('drops prototype keys', () => {
    const { customFields } = read('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"b":"2"}')
    expect(Object.keys(customFields)).toEqual(['b'])
    expect(Object.getPrototypeOf(customFields)).toBe(Object.prototype)
  })

  it('refuses deeply nested fields', () => {
    const deep = `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`
    expect(() => read(deep)).toThrow("'customFields' is nested too deeply.")
  })
})

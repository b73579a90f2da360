import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { apiErrorOfIssues } from './errors.ts'
import {
  boolean,
  choice,
  currency,
  decimal,
  email,
  emptyable,
  integer,
  integerBetween,
  list,
  metadata,
  object,
  text,
  timestamp,
  url,
} from './params.ts'

/** Returns the parsed parameter, or the code and message of its error. */
function read(schema: z.ZodType, value: unknown) {
  const parsed = object({ given: schema }).safeParse({ given: value }, { reportInput: true })
  if (parsed.success) return parsed.data.given
  const { code, param, message } = apiErrorOfIssues(parsed.error.issues)
  return { code, param, message }
}

describe('a parameter', () => {
  test.each([
    ['text', text, ' as it is ', ' as it is '],
    ['whole numbers', integer, '-12', -12],
    ['bounded numbers', integerBetween(1, 100), '100', 100],
    ['decimals', decimal, '12.5', 12.5],
    ['yes', boolean, 'true', true],
    ['no', boolean, 'false', false],
    ['times', timestamp, '1795197600', 1_795_197_600],
    ['currencies', currency, 'USD', 'usd'],
    ['addresses', url, 'http://localhost:3000/a?b=c', 'http://localhost:3000/a?b=c'],
    ['e-mail addresses', email, 'ann@example.com', 'ann@example.com'],
    ['words', choice('once', 'forever'), 'once', 'once'],
    ['what is unset', emptyable(integer), '', null],
    ['what is set', emptyable(integer), '7', 7],
    ['lists', list(integer), ['1', '2'], [1, 2]],
    ['numbered lists', list(integer), { 4: '1', 9: '2' }, [1, 2]],
    ['metadata', metadata, { a: '1', b: '' }, { a: '1', b: '' }],
  ])('parses %s', (_what, schema, value, expected) => {
    expect(read(schema, value)).toEqual(expected)
  })

  test.each([
    ['1.5', integer, 'parameter_invalid_integer', 'given'],
    ['99999999999999999999', integer, 'parameter_invalid_integer', 'given'],
    ['0', integerBetween(1), 'parameter_invalid_integer', 'given'],
    ['101', integerBetween(1, 100), 'parameter_invalid_integer', 'given'],
    ['-1', timestamp, 'parameter_invalid_integer', 'given'],
    ['yes', boolean, undefined, 'given'],
    ['dollars', currency, undefined, 'given'],
    ['javascript:alert(1)', url, 'url_invalid', 'given'],
    ['weekly', choice('once', 'forever'), undefined, 'given'],
    [['1', 'x'], list(integer), 'parameter_invalid_integer', 'given[1]'],
    ['x', emptyable(integer), 'parameter_invalid_integer', 'given'],
  ])('rejects %j', (value, schema, code, param) => {
    expect(read(schema, value)).toMatchObject({ code, param })
  })

  test('names the allowed words', () => {
    expect(read(choice('a', 'b', 'c'), 'd')).toHaveProperty(
      'message',
      'Invalid given: must be one of a, b, or c',
    )
  })

  test('rejects metadata that is too long', () => {
    expect(read(metadata, { ['k'.repeat(41)]: '1' })).toHaveProperty(
      'param',
      expect.stringContaining('given'),
    )
    expect(read(metadata, { key: 'v'.repeat(501) })).toHaveProperty('param', 'given[key]')
  })
})

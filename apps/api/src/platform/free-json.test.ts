import { describe, expect, it } from 'vitest'
import { cleanJsonObject } from './free-json.ts'

const options = { what: 'metaData', maxBytes: 1_000 }

/** Returns a list in a list, so many levels deep. */
function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

describe('cleanJsonObject', () => {
  it('refuses a value that is nested too deeply', () => {
    expect(cleanJsonObject({ a: nested(39) }, options)).toEqual({ a: nested(39) })
    expect(() => cleanJsonObject({ a: nested(40) }, options)).toThrow("'metaData' is nested too deeply.")
    expect(() => cleanJsonObject({ a: nested(5_000) }, options)).toThrow('nested too deeply')
  })

  it('refuses one byte more than the limit', () => {
    const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    expect(cleanJsonObject(ofBytes(1_000), options)).toEqual(ofBytes(1_000))
    expect(() => cleanJsonObject(ofBytes(1_001), options)).toThrow("'metaData' can have at most 1,000 bytes")
  })

  it('drops keys that reach a prototype, and what Postgres cannot store', () => {
    const sent = JSON.parse('{"\\u0000__proto__":{"a":1},"b":{"constructor":{"a":1},"c":"d\\u0000\\ud800"}}')
    expect(cleanJsonObject(sent, options)).toEqual({ b: { c: 'd\ufffd' } })
  })
})

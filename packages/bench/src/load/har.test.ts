import { expect, it } from 'vitest'
import { harOf } from './har.ts'

it('creates one request for each set of headers, in order', () => {
  const headers = ['first', 'second'].map((name) => ({ Authorization: `Bearer ${name}` }))
  const request = (value: string) => ({
    request: {
      method: 'GET',
      url: 'http://127.0.0.1:1/member',
      headers: [{ name: 'Authorization', value }],
    },
  })
  expect(harOf('http://127.0.0.1:1/member', headers)).toEqual({
    log: { entries: [request('Bearer first'), request('Bearer second')] },
  })
})

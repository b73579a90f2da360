import { describe, expect, it } from 'vitest'
import { urlOf } from './endpoint.ts'

const list = { method: 'GET', path: '/things' } as const
const part = { method: 'GET', path: '/things/:id/parts/:part' } as const

describe('urlOf', () => {
  it.for([
    [list, {}, '/things'],
    [list, { query: { after: undefined } }, '/things'],
    [
      list,
      { query: { after: 'a & b', limit: 10, isOpen: false } },
      '/things?after=a+%26+b&limit=10&isOpen=false',
    ],
    [part, { params: { id: '7', part: 'a' } }, '/things/7/parts/a'],
    [part, { params: { id: '../x', part: 'ä?#' } }, '/things/..%2Fx/parts/%C3%A4%3F%23'],
    [part, { params: { id: ':part', part: 'b' } }, '/things/%3Apart/parts/b'],
  ] as const)('returns the address of %o with %o', ([route, input, url]) => {
    expect(urlOf(route, input)).toBe(url)
  })
})

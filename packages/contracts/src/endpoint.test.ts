import { describe, expect, it } from 'vitest'
import { fillPath, urlOf } from './endpoint.ts'

const list = { method: 'GET', path: '/things' } as const
const part = { method: 'GET', path: '/things/:id/parts/:part' } as const

it('urlOf returns the address of an endpoint', () => {
  expect(urlOf(list)).toBe('/things')
  expect(urlOf(part, { params: { id: '7', part: 'a' }, query: { w: 2 } })).toBe('/things/7/parts/a?w=2')
})

describe('fillPath', () => {
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
  ] as const)('fills %o with %o', ([route, input, url]) => {
    expect(fillPath(route.path, input)).toBe(url)
  })
})

import { describe, expect, it } from 'vitest'
import { createCallOrder } from './call-order.ts'

describe('the order of calls', () => {
  it('numbers the calls and keeps the token of each', () => {
    const { begin } = createCallOrder()
    const [first, second] = [begin(null), begin('token')]
    expect([first.token, second.token]).toEqual([null, 'token'])
    expect(second.order).toBeGreaterThan(first.order)
  })

  it('lets the login that started last win, in any order of the responses', () => {
    const calls = createCallOrder()
    const [login, logout] = [calls.begin(null), calls.begin(null)]
    expect([calls.choose(logout), calls.choose(login)]).toEqual([true, false])
  })

  it('accepts a later login after an earlier one, and one call twice', () => {
    const calls = createCallOrder()
    const [first, second] = [calls.begin(null), calls.begin(null)]
    expect([calls.choose(first), calls.choose(second), calls.choose(second)]).toEqual([true, true, true])
  })

  it('accepts each read once, and none that started before the last one', () => {
    const calls = createCallOrder()
    const [older, newer] = [calls.begin(null), calls.begin(null)]
    expect([calls.read(newer), calls.read(older), calls.read(newer)]).toEqual([true, false, false])
  })

  it('accepts only reads that started after the last change', () => {
    const calls = createCallOrder()
    const before = calls.begin(null)
    calls.changed()
    expect([calls.read(before), calls.read(calls.begin(null))]).toEqual([false, true])
  })

  it('accepts a login after later reads', () => {
    const calls = createCallOrder()
    const login = calls.begin(null)
    expect([calls.read(calls.begin(null)), calls.choose(login)]).toEqual([true, true])
  })
})

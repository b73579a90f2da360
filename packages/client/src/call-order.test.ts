import { describe, expect, it } from 'vitest'
import { createCallOrder } from './call-order.ts'

describe('the order of calls', () => {
  it('numbers moments as they are taken, and keeps the token of each', () => {
    const { begin } = createCallOrder()
    const [first, second] = [begin(null), begin('token')]
    expect([first.token, second.token]).toEqual([null, 'token'])
    expect(second.order).toBeGreaterThan(first.order)
  })

  it('lets the choice that began last win, in whichever order the answers come', () => {
    const calls = createCallOrder()
    const [login, logout] = [calls.begin(null), calls.begin(null)]
    expect([calls.choose(logout), calls.choose(login)]).toEqual([true, false])
  })

  it('lets a later choice follow an earlier one, and one call choose twice', () => {
    const calls = createCallOrder()
    const [first, second] = [calls.begin(null), calls.begin(null)]
    expect([calls.choose(first), calls.choose(second), calls.choose(second)]).toEqual([true, true, true])
  })

  it('takes each read once, and none that began before the last one taken', () => {
    const calls = createCallOrder()
    const [older, newer] = [calls.begin(null), calls.begin(null)]
    expect([calls.read(newer), calls.read(older), calls.read(newer)]).toEqual([true, false, false])
  })

  it('takes no read that began before a change, and those that began after it', () => {
    const calls = createCallOrder()
    const before = calls.begin(null)
    calls.changed()
    expect([calls.read(before), calls.read(calls.begin(null))]).toEqual([false, true])
  })

  it('does not mind reads where it is about choices', () => {
    const calls = createCallOrder()
    const login = calls.begin(null)
    expect([calls.read(calls.begin(null)), calls.choose(login)]).toEqual([true, true])
  })
})

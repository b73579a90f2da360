import { describe, expect, it } from 'vitest'
import { randomIds } from '#platform/ids.ts'
import { createSigner } from '#platform/signing.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createGatePass, gatePassCookie } from './gate-pass.ts'

const start = new Date('2026-11-20T17:00:00.000Z')
const dayMs = 24 * 3600 * 1000

type Options = { on?: boolean; password?: string; secret?: string }

/** Creates a gate with its own clock, and a pass as a Cookie header. */
function createTestGate({ on = true, password = 'tidings', secret = 'a secret' }: Options = {}) {
  const clock = createFixedClock(start)
  const gate = createGatePass({ on, password, secret, clock, ids: randomIds })
  return { gate, clock, cookie: `${gatePassCookie}=${gate.issue()}` }
}

describe('createGatePass', () => {
  it('accepts its passes, alone or among other cookies', () => {
    const { gate, cookie } = createTestGate()
    for (const header of [cookie, `a=1; ${cookie}`, `${cookie}; b=2`, `a=1;${cookie};b=2`]) {
      expect(gate.isPassed(header)).toBe(true)
    }
  })

  it('returns the same id for a pass until it expires, and another for each pass', () => {
    const { gate, cookie, clock } = createTestGate()
    const id = gate.idOf(cookie)
    clock.moveTo(new Date(start.getTime() + 29 * dayMs))
    expect(gate.idOf(cookie)).toBe(id)
    expect(gate.idOf(`${gatePassCookie}=${gate.issue()}`)).not.toBe(id)
  })

  it.each([
    [29 * dayMs, true],
    [30 * dayMs - 1, true],
    [30 * dayMs, false],
    [31 * dayMs, false],
    [-1, false],
  ])('accepts a pass after %s ms: %s', (ms, holds) => {
    const { gate, clock, cookie } = createTestGate()
    expect(gate.isPassed(cookie)).toBe(true)
    clock.moveTo(new Date(start.getTime() + ms))
    expect(gate.isPassed(cookie)).toBe(holds)
  })

  it('rejects a pass of another secret, password or purpose', () => {
    const { gate } = createTestGate()
    const other = createSigner('a secret', 'reader').sign(`${start.getTime()}_${randomIds.uuid()}`)
    expect(gate.isPassed(createTestGate({ secret: 'another' }).cookie)).toBe(false)
    expect(gate.isPassed(createTestGate({ password: 'another' }).cookie)).toBe(false)
    expect(gate.isPassed(`${gatePassCookie}=${other}`)).toBe(false)
  })

  it('rejects altered and forged passes', () => {
    const { gate, cookie } = createTestGate()
    for (const header of [
      undefined,
      '',
      gatePassCookie,
      `${gatePassCookie}=`,
      `${gatePassCookie}=.`,
      `x${cookie}`,
      cookie.replace(gatePassCookie, 'tidings_reader'),
      cookie.slice(0, -2),
      `${cookie}x`,
      cookie.replace(/=\d/, '=9'),
      `${gatePassCookie}="${cookie.split('=')[1]}"`,
      `${gatePassCookie}=${'a'.repeat(100_000)}`,
    ]) {
      expect(gate.isPassed(header), header?.slice(0, 80)).toBe(false)
    }
  })

  it('rejects every password, even an empty one, when none is set', () => {
    const { gate, cookie } = createTestGate({ password: '' })
    expect(gate.configured).toBe(false)
    expect(gate.isPassword('')).toBe(false)
    expect(gate.isPassed(cookie)).toBe(false)
  })

  it('accepts every request without an id when it is off', () => {
    const { gate } = createTestGate({ on: false })
    expect(gate.isPassed(undefined)).toBe(true)
    expect(gate.idOf(undefined)).toBeNull()
  })

  it.each(['Tidings', 'tidings ', ' tidings', 'tiding', '', 'tidings\u0000'])(
    'rejects the password %j',
    (given) => {
      expect(createTestGate().gate.isPassword(given)).toBe(false)
    },
  )
})

import { describe, expect, it } from 'vitest'
import { createStore } from '#lib/storage/store.ts'
import { hasExpiredPass, saveGateFlag, wasGateOpen } from './device-pass.ts'

const dayMs = 24 * 3_600_000
const passed = new Date(2026, 10, 20, 12, 0).getTime()

/** Passes the gate, then opens a new browser session on the device this many days later. */
function sessionAfter(days: number) {
  const deviceStore = createStore(() => window.localStorage)
  const at = (ms: number) => ({ now: () => new Date(ms), random: () => 0.5, timeZone: () => 'UTC' })
  const first = { deviceStore, sessionStore: createStore(() => window.sessionStorage), clock: at(passed) }
  saveGateFlag(first, true)
  window.sessionStorage.clear()
  return { ...first, clock: at(passed + days * dayMs) }
}

describe('a gate passed on this device', () => {
  it.each([0, 1, 29.9])('opens what is kept %d days later', (days) => {
    expect(wasGateOpen(sessionAfter(days))).toBe(true)
  })

  it('no longer opens anything after 30 days', () => {
    const session = sessionAfter(30)
    expect([wasGateOpen(session), hasExpiredPass(session)]).toEqual([false, true])
  })

  it('keeps its time when the server confirms it', () => {
    saveGateFlag(sessionAfter(20), true)
    window.sessionStorage.clear()
    const later = sessionAfterWithoutPassing(30)
    expect(wasGateOpen(later)).toBe(false)
  })

  it('opens nothing once the server requires another pass', () => {
    const session = sessionAfter(1)
    saveGateFlag(session, false)
    expect(wasGateOpen(session)).toBe(false)
  })
})

function sessionAfterWithoutPassing(days: number) {
  return {
    deviceStore: createStore(() => window.localStorage),
    sessionStore: createStore(() => window.sessionStorage),
    clock: { now: () => new Date(passed + days * dayMs), random: () => 0.5, timeZone: () => 'UTC' },
  }
}

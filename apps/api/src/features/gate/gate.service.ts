import type { GatePass } from '#http/gate-pass.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { fail } from './gate.errors.ts'

type Deps = { gatePass: GatePass; rateLimits: RateLimits }

/** A caller's IP address, and whether its browser has been behind the gate before. */
type Caller = { address: string; isKnown: boolean }

export type GateService = ReturnType<typeof createGateService>

export function createGateService({ gatePass, rateLimits }: Deps) {
  /** Counts a try; those of known browsers don't count towards the total. Returns a function that refunds it. */
  async function countTry({ address, isKnown }: Caller): Promise<() => Promise<void>> {
    if (!isKnown) return await rateLimits.countGuess('gate', address)
    await rateLimits.consume('gateTries', address)
    return () => rateLimits.refund('gateTries', address)
  }

  return {
    /** Returns a new gate pass for the site password. */
    async enter(password: string, caller: Caller): Promise<string> {
      if (password === '') throw fail('invalid-password', 'missing')
      if (!gatePass.configured) throw fail('configuration-error')
      const refundTry = await countTry(caller)
      if (!gatePass.isPassword(password)) throw fail('invalid-password', 'wrong')
      await refundTry()
      return gatePass.issue()
    },
  }
}

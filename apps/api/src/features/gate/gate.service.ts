import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { GatePass } from '#http/sessions/gate-pass.ts'
import { fail } from './gate.errors.ts'

type Deps = { gatePass: GatePass; rateLimits: RateLimits }

/** A caller's IP address, and the reader id of a browser that has been behind the gate before. */
type Caller = { address: string; readerId: string | null }

export type GateService = ReturnType<typeof createGateService>

export function createGateService({ gatePass, rateLimits }: Deps) {
  /** Counts a try; those of known browsers don't count towards the total. Returns a function that refunds it. */
  async function countTry({ address, readerId }: Caller): Promise<() => Promise<void>> {
    if (readerId === null) return await rateLimits.countGuess('gate', address)
    // A cookie can be sent from many networks, so it has a limit of its own.
    const sources = [`reader ${readerId}`, address]
    for (const source of sources) await rateLimits.consume('gateTries', source)
    return async () => {
      for (const source of sources) await rateLimits.refund('gateTries', source)
    }
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

import type { GatePass } from '#http/gate-pass.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { fail } from './gate.errors.ts'

type Deps = { gatePass: GatePass; rateLimits: RateLimits }

export type GateService = ReturnType<typeof createGateService>

export function createGateService({ gatePass, rateLimits }: Deps) {
  return {
    /** Returns a new gate pass for the site password. `address` is the caller's IP address. */
    async enter(password: string, address: string): Promise<string> {
      if (password === '') throw fail('invalid-password', 'missing')
      if (!gatePass.configured) throw fail('configuration-error')
      await rateLimits.consume('gateTries', address)
      if (!gatePass.isPassword(password)) throw fail('invalid-password', 'wrong')
      await rateLimits.refund('gateTries', address)
      return gatePass.issue()
    },
  }
}

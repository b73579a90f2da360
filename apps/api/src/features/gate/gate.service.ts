import { messages } from '@tidings/contracts/messages'
import type { GatePass } from '#http/gate-pass.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import { AppError } from '#platform/errors.ts'

type Deps = { gatePass: GatePass; rateLimits: RateLimits }

export type GateService = {
  /** Answers a new pass for the right password; throws for every other. `address` is the caller's IP. */
  enter(password: string, address: string): Promise<string>
}

/** Lets readers through the site's shared password. */
export function createGateService({ gatePass, rateLimits }: Deps): GateService {
  return {
    async enter(password, address) {
      if (password === '') throw new AppError('invalid-password', 400, messages.enterPassword)
      if (!gatePass.configured) throw new AppError('configuration-error', 500, messages.configurationError)
      await rateLimits.consume('gateTries', address)
      if (!gatePass.isPassword(password))
        throw new AppError('invalid-password', 401, messages.invalidPassword)
      await rateLimits.refund('gateTries', address)
      return gatePass.issue()
    },
  }
}

import { limits } from '@tidings/contracts/limits'
import type { CodePurpose } from './code-secrets.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long a code is valid, and how old a request may be when its code is sent. */
export const lifetimes: Readonly<Record<CodePurpose, { minutes: number; maxSendDelayMs: number }>> = {
  reset: { minutes: limits.resetCodeMinutes, maxSendDelayMs: 2 * hourMs },
  login: { minutes: limits.shortCodeMinutes, maxSendDelayMs: hourMs / 2 },
  signup: { minutes: limits.shortCodeMinutes, maxSendDelayMs: hourMs / 2 },
  verification: { minutes: limits.shortCodeMinutes, maxSendDelayMs: 24 * hourMs },
}

/** Returns when a code that is created now expires. */
export function expiryOf(purpose: CodePurpose, now: Date): Date {
  return new Date(now.getTime() + lifetimes[purpose].minutes * minuteMs)
}

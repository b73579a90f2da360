import { z } from 'zod'

const numbers = z.array(z.string().trim()).default([])
const every = z.int().min(0).default(0)

/** The faults of the Twilio emulator, which last until the next call changes them. */
export const twilioFaults = z.strictObject({
  /** How late it replies to each SMS. It accepts the SMS first. */
  slowMs: z.int().min(0).max(120_000).default(0),
  /** Replies 429 to every nth SMS; 0 for none. */
  rateLimitEvery: every,
  /** Replies 500 to every nth SMS; 0 for none. */
  failEvery: every,
  /** Accepts every nth SMS and replies 500; 0 for none. */
  failAcceptedEvery: every,
  /** Numbers that it refuses as invalid (21211). */
  invalid: numbers,
  /** Numbers that it refuses as landlines (21614). */
  landline: numbers,
  /** Numbers whose SMS are accepted and not delivered (30005). */
  unreachable: numbers,
  /** How status callbacks arrive: `reversed` sends the last status first. */
  callbacks: z.enum(['in-order', 'repeated', 'reversed', 'off']).default('in-order'),
})

type TwilioFaults = z.infer<typeof twilioFaults>

export type TwilioFaultsStore = { current: TwilioFaults }

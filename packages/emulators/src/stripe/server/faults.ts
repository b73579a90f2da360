import { z } from 'zod'

/**
 * How a call can go wrong. `server-error`, `rate-limit`, `unauthorized` (a revoked key), `forbidden` (to a restricted key), `timeout-before` and `reset`
 * happen before anything was done; so does `server-error-kept`, which is answered again under the same idempotency key;
 * after `timeout-after` and `reset-after` everything was done and the answer never comes; `slow` is late and right, and
 * `late` comes late and was right when it was made.
 */
const faultKinds = [
  'server-error',
  'server-error-kept',
  'rate-limit',
  'unauthorized',
  'forbidden',
  'timeout-before',
  'timeout-after',
  'slow',
  'late',
  'reset',
  'reset-after',
] as const

/** What a test asks for: the next `times` calls whose method and path begin like `match` (`POST /v1/customers`). */
export const faultSchema = z.strictObject({
  kind: z.enum(faultKinds),
  /** The path alone stands for every method; without it every call is meant. */
  match: z.string().default(''),
  times: z.number().int().min(1).default(1),
  /** Only calls that say this somewhere, such as a customer's id: others go on as ever. */
  about: z.string().default(''),
  /** How late an answer is, and when a connection without an answer is closed; never by itself when left out. */
  delayMs: z.number().int().min(0).optional(),
})

export type Fault = z.infer<typeof faultSchema>

export type FaultInput = z.input<typeof faultSchema>

export type Faults = {
  add(fault: Fault): void
  /**
   * The fault for this call, which is then used up. The first that was asked for comes first. `said` is the call's
   * address and body.
   */
  take(method: string, path: string, said?: string): Fault | undefined
  /** Those that still wait, with the times that are left. */
  list(): Fault[]
  clear(): void
}

/** Remembers which of the next calls are to go wrong. */
export function createFaults(): Faults {
  let waiting: Fault[] = []
  return {
    add(fault) {
      waiting = [...waiting, fault]
    },
    take(method, path, said = path) {
      const fault = waiting.find(
        ({ match, about }) =>
          (`${method} ${path}`.startsWith(match) || path.startsWith(match)) && said.includes(about),
      )
      if (!fault) return undefined
      const left = { ...fault, times: fault.times - 1 }
      waiting = waiting.flatMap((one) => (one === fault ? (left.times > 0 ? [left] : []) : [one]))
      return fault
    },
    list: () => waiting,
    clear() {
      waiting = []
    },
  }
}

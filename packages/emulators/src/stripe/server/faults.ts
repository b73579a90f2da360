import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

/**
 * `server-error`, `rate-limit`, `unauthorized`, `forbidden`, `timeout-before` and `reset` fail before the call runs.
 * `timeout-after` and `reset-after` drop the response of a completed call. `slow` delays the call, `late` its response.
 */
const faultKinds = [
  'server-error',
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

/** A fault for the next `times` calls whose method and path start with `match` (`POST /v1/customers`). */
export const faultSchema = z.strictObject({
  kind: z.enum(faultKinds),
  /** A path alone matches every method. Empty matches every call. */
  match: z.string().default(''),
  times: z.number().int().min(1).default(1),
  /** Matches calls that contain this text, such as a customer's id. */
  about: z.string().default(''),
  /**
   * The delay of a response, or how long a connection stays open without one. Without it, `slow` and `late` hold the call
   * until it is released.
   */
  delayMs: z.number().int().min(0).optional(),
})

export type Fault = z.infer<typeof faultSchema>

export type FaultInput = z.input<typeof faultSchema>

export type Faults = {
  add(fault: Fault): void
  /** Returns the first fault that matches the call and uses it up. `said` is the call's address and body. */
  take(method: string, path: string, said?: string): Fault | undefined
  /** Waits for the delay of a `slow` or `late` fault. */
  delay(fault: Fault): Promise<void>
  /** Lists the faults that are left. */
  list(): Fault[]
  clear(): void
  /** Continues the held calls. */
  release(): void
}

export function createFaults(): Faults {
  let waiting: Fault[] = []
  let released = Promise.withResolvers<void>()
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
    async delay({ delayMs }) {
      await (delayMs === undefined ? released.promise : pause(delayMs))
    },
    list: () => waiting,
    clear() {
      waiting = []
    },
    release() {
      released.resolve()
      released = Promise.withResolvers()
    },
  }
}

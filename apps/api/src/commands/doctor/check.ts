import { setTimeout as delay } from 'node:timers/promises'

/** The result of a check: `failed` must be done, `skipped` could not or needn't be checked. */
export type Finding = { level: 'ok' | 'failed' | 'skipped'; text: string }

export type Check = { name: string; run(): Promise<Finding> }

export type CheckedFinding = Finding & { name: string }

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const failed = (text: string): Finding => ({ level: 'failed', text })
export const skipped = (text: string): Finding => ({ level: 'skipped', text })

/** Runs all checks at once. One that throws or takes longer than the limit has failed. */
export async function runChecks(checks: readonly Check[], limitMs: number): Promise<CheckedFinding[]> {
  return await Promise.all(
    checks.map(async ({ name, run }) => {
      const limit = new AbortController()
      const late = delay(limitMs, failed(`This check took longer than ${limitMs / 1000} s. Try again.`), {
        signal: limit.signal,
      })
      const result = run().catch((error: unknown) =>
        failed(`${messageOf(error)}. Do what the other checks say, and try again.`),
      )
      const finding = await Promise.race([result, late.catch(() => result)])
      limit.abort()
      return { name, ...finding }
    }),
  )
}

const credentials = /\/\/[^\s"'/@\\]{1,200}@/g

/** Returns an error's message, without the name and password of an address in it. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(credentials, '//[redacted]@')
}

import { useRef } from 'react'
import { type FieldChecks, findProblems, unfinishedChecks } from './field-checks.ts'
import type { FieldErrors } from './submission.ts'

/** Checks what is submitted, and remembers what is typed since. */
export function useFieldChecks(checks: FieldChecks) {
  const typed = useRef<Record<string, string>>({})
  return {
    /** Returns what is wrong with a text that was typed; null if nothing is. */
    problemOf(name: string, text: string): string | null {
      typed.current[name] = text
      return checks[name]?.problemOf(text) ?? null
    },
    check(values: Record<string, string>) {
      const since: Record<string, string> = {}
      typed.current = since
      const wrong = findProblems(checks, values)
      return {
        /** The fields that are known to be wrong. */
        wrong,
        /** Resolves when everything is known; null if it is. */
        unfinished: unfinishedChecks(checks, values),
        /** Returns whether more is known to be wrong, and nothing has been submitted since. */
        isMoreWrong: () =>
          typed.current === since &&
          Object.keys(findProblems(checks, values)).some((name) => !(name in wrong)),
        /** Returns what was wrong when it was submitted and still is. */
        stillWrong(): FieldErrors {
          const names = Object.keys(findProblems(checks, values))
          const newest = names.map((name) => [name, since[name] ?? values[name] ?? ''])
          return findProblems(checks, Object.fromEntries(newest))
        },
      }
    },
  }
}

export const hasProblem = (errors: FieldErrors) => Object.keys(errors).length > 0

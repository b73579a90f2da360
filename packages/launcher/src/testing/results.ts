import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { repositoryRoot } from '../process/repository.ts'

/** Names the file for the results of a test runner. Without it a runner writes none. */
export const resultsFileSetting = 'TIDINGS_RESULTS_FILE'

const failureSchema = z.object({
  /** Null for an error outside of files. */
  file: z.string().nullable(),
  /** Empty for a file that failed before its first test. */
  title: z.string(),
  message: z.string(),
})

const resultsSchema = z.object({
  passed: z.number(),
  skipped: z.number(),
  failures: z.array(failureSchema),
})

/** A failed test, with its file relative to the repository. */
export type Failure = z.infer<typeof failureSchema>
/** The result of a test run. */
export type Results = z.infer<typeof resultsSchema>

/** Returns a failure, its file relative to the repository and its message without color codes. */
export function failureOf(file: string | null, title: string, message: string | undefined): Failure {
  return {
    file: file === null ? null : relative(repositoryRoot, file),
    title,
    message: stripVTControlCharacters(message ?? ''),
  }
}

/** Formats a failure: `FILE › TITLE`. */
export function nameOf({ file, title }: Failure): string {
  return [file, title].filter(Boolean).join(' › ')
}

/** Writes what a runner reports, if the test command started it. */
export function writeResults(results: Results): void {
  const path = process.env[resultsFileSetting]
  if (!path) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(results))
}

/** Reads what a runner reported. Throws when that is missing or incomplete, or when no test ran. */
export function readResults(path: string): Results {
  const results = resultsSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  if (results.passed + results.failures.length === 0) throw new Error('no test ran')
  return results
}

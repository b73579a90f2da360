import { execFileSync } from 'node:child_process'
import type { Lifetime } from '../lifetime.ts'
import type { PacedReads, PacedReadsOrder } from './paced-reads.ts'
import { startProgram } from './program.ts'

export type PacedReaders = {
  /** How long each answer took, in milliseconds. */
  read(order: PacedReadsOrder): Promise<number[]>
  /** What to add to the name of a figure: whether the readers had to wait for a core themselves. */
  caveat: string
}

/**
 * Starts readers who come at their own pace. They stand for phones, which have cores of their own: where the system
 * allows it they run in Linux's real-time class, so that what is measured is how long the site takes, not how long its
 * busy machine leaves the stopwatch waiting.
 */
export function startPacedReaders(lifetime: Lifetime): PacedReaders {
  const program = startProgram(lifetime, new URL('paced-reads.ts', import.meta.url))
  const isFirst = putFirst(program.pid)
  return {
    async read(order) {
      return (await program.ask<PacedReads>(order)).ms
    },
    caveat: isFirst ? '' : ' (readers wait for the same cores)',
  }
}

/** Threads that the process starts later inherit the class. Needs root, or the right to raise priorities. */
function putFirst(pid: number): boolean {
  try {
    execFileSync('chrt', ['--all-tasks', '--fifo', '--pid', '1', String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    // No Linux, no chrt, or no right to it.
    return false
  }
}

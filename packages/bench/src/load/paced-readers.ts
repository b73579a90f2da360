import { execFileSync } from 'node:child_process'
import type { Lifetime } from '../lifetime.ts'
import { startProgram } from '../programs/program.ts'
import type { PacedReads, PacedReadsOrder } from './paced-reads.ts'

export type PacedReaders = {
  /** How long each answer took, in milliseconds. */
  read(order: PacedReadsOrder): Promise<number[]>
}

/**
 * Starts readers who come at their own pace. They stand for phones, which have cores of their own: where the system
 * allows it they run in Linux's real-time class, so that what is measured is how long the site takes, not how long its
 * busy machine leaves the stopwatch waiting.
 */
export function startPacedReaders(lifetime: Lifetime): PacedReaders {
  const program = startProgram(lifetime, new URL('paced-reads.ts', import.meta.url))
  // Where it is refused, the description of the machine says so.
  runsChrt('--all-tasks', '--fifo', '--pid', '1', String(program.pid))
  return {
    async read(order) {
      return (await program.ask<PacedReads>(order)).ms
    },
  }
}

/** Whether readers have cores of their own on this machine, as phones have. */
export function readersComeFirst(): boolean {
  return runsChrt('--fifo', '1', 'true')
}

/** Threads that a process starts later inherit the class. Needs root, or the right to raise priorities. */
function runsChrt(...options: string[]): boolean {
  try {
    execFileSync('chrt', options, { stdio: 'ignore' })
    return true
  } catch {
    // No Linux, no chrt, or no right to it.
    return false
  }
}

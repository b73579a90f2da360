import { execFileSync } from 'node:child_process'
import type { Lifetime } from '../programs/lifetime.ts'
import { startProgram } from '../programs/program.ts'
import type { PacedReads, PacedReadsOrder } from './paced-reads.ts'

export type PacedReaders = {
  /** Returns the duration of each response, in milliseconds. */
  read(order: PacedReadsOrder): Promise<number[]>
}

/**
 * Starts readers at a fixed rate. They represent phones with their own cores, so they run in Linux's real-time class where
 * possible: otherwise a busy machine would delay the measuring itself.
 */
export function startPacedReaders(lifetime: Lifetime): PacedReaders {
  const program = startProgram(lifetime, new URL('paced-reads.ts', import.meta.url))
  runFirst(program.pid)
  return {
    async read(order) {
      return (await program.request<PacedReads>(order)).ms
    },
  }
}

/** Runs a program in Linux's real-time class. The description of the machine says where this is not possible. */
export function runFirst(pid: number): void {
  runsChrt('--all-tasks', '--fifo', '--pid', '1', String(pid))
}

/** Returns whether readers run in the real-time class. */
export function readersComeFirst(): boolean {
  return runsChrt('--fifo', '1', 'true')
}

/** Runs `chrt`, which needs root or the right to raise priorities. Later threads inherit the class. */
function runsChrt(...options: string[]): boolean {
  try {
    execFileSync('chrt', options, { stdio: 'ignore' })
    return true
  } catch {
    // Not Linux, no chrt, or no permission.
    return false
  }
}

import { readFile } from 'node:fs/promises'

const ticksPerSecond = 100

/**
 * Seconds of processor time that a process has used so far, its own and the system's on its behalf. Null where the system
 * does not tell (anywhere but on Linux).
 */
export async function processorSeconds(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return text === null ? null : parseStat(text)
}

/** Reads user and system time out of a process's `stat` line. */
export function parseStat(text: string): number {
  // The name may hold spaces and brackets: what counts follows the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

import { readFile } from 'node:fs/promises'

const ticksPerSecond = 100

/** Returns the user and system CPU seconds of a process, or null outside Linux. */
export async function processorSeconds(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return text === null ? null : parseStat(text)
}

/** Parses the CPU seconds in a process's `stat` line. */
export function parseStat(text: string): number {
  // The name may contain spaces and brackets, so the fields are counted from the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

import { readFile } from 'node:fs/promises'
import { runCommand } from './run-command.ts'

export type ProcessFacts = { pid: number; parent: number; command: string }

/** Whether a process with this id exists. One that has ended but was not yet collected counts, too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** What the system knows about a process; nothing when there is none, or none that can be seen. */
export async function factsOf(pid: number): Promise<ProcessFacts | undefined> {
  if (process.platform === 'linux') {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ])
    // The name in brackets may hold anything, so count from behind it.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!stat || state === 'Z') return undefined
    return { pid, parent: Number(parent), command: command.replaceAll('\0', ' ').trim() }
  }
  const { code, stdout } = await runCommand('ps', ['-o', 'ppid=,command=', '-p', String(pid)])
  const match = stdout.trim().match(/^(\d+)\s+(.*)$/s)
  return code === 0 && match ? { pid, parent: Number(match[1]), command: match[2] ?? '' } : undefined
}

import { readFile } from 'node:fs/promises'
import { runCommand } from './run-command.ts'

export type ProcessFacts = { pid: number; parent: number; command: string }

/** Returns whether a process with this id exists, even as a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the parent and command of a process, or nothing when there is no such visible process. */
export async function findProcessFacts(pid: number): Promise<ProcessFacts | undefined> {
  if (process.platform === 'linux') {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ])
    // The name in brackets may contain anything, so the fields are counted from its end.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!stat || state === 'Z') return undefined
    return { pid, parent: Number(parent), command: command.replaceAll('\0', ' ').trim() }
  }
  const { code, stdout } = await runCommand('ps', ['-o', 'ppid=,command=', '-p', String(pid)])
  const match = stdout.trim().match(/^(\d+)\s+(.*)$/s)
  return code === 0 && match ? { pid, parent: Number(match[1]), command: match[2] ?? '' } : undefined
}

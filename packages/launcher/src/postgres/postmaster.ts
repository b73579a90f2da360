import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { factsOf } from '../process/process-facts.ts'

/** What a running server writes about itself into its data folder. */
export async function readPostmaster(cluster: string): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port } : undefined
}

/**
 * Whether the number in the pid file belongs to no living PostgreSQL: to some other program, as after a power cut, or to
 * a dead one that nobody has collected. Where the system does not tell, it is taken to be alive.
 */
export async function isStale(pid: number): Promise<boolean> {
  const facts = await factsOf(pid)
  return facts ? !facts.command.includes('postgres') : process.platform === 'linux'
}

/** Removes a stale pid file: PostgreSQL would refuse to start beside it. */
export async function removePidFile(cluster: string) {
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

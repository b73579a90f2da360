import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findProcessFacts } from '../process/process-facts.ts'

/** Reads the pid file that a running server writes into its data folder. */
export async function readPostmaster(cluster: string): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port } : undefined
}

/**
 * Returns whether the process id of a pid file no longer belongs to PostgreSQL, as after a power cut. Counts as alive
 * where the system doesn't show processes.
 */
export async function isStale(pid: number): Promise<boolean> {
  const facts = await findProcessFacts(pid)
  return facts ? !facts.command.includes('postgres') : process.platform === 'linux'
}

/** Removes a stale pid file, with which PostgreSQL refuses to start. */
export async function removePidFile(cluster: string) {
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

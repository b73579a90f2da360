import { readFile } from 'node:fs/promises'

/** The memory of a process, in bytes. */
export type Memory = {
  /** JavaScript objects and their buffers. */
  objects: number
  /** The resident set size. */
  resident: number
}

export type ProbeOptions = { nodeArgs: string[]; env: Record<string, string> }

const maxReadings = 10
const restlessBytes = 50_000

/** Returns the options that make a server report its memory on this port. */
export function probeOptions(port: number): ProbeOptions {
  const probe = new URL('memory-probe.ts', import.meta.url)
  return {
    nodeArgs: ['--expose-gc', '--import', probe.href],
    env: { BENCH_PROBE_PORT: String(port) },
  }
}

/** Returns the memory of a server with the probe, once further collections free nothing. */
export async function readMemory(port: number): Promise<Memory> {
  let memory = await readOnce(port)
  for (let reading = 1; reading < maxReadings; reading += 1) {
    const next = await readOnce(port)
    const freed = memory.objects - next.objects
    memory = next
    if (freed < restlessBytes) break
  }
  return memory
}

async function readOnce(port: number): Promise<Memory> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } })
  const usage: NodeJS.MemoryUsage = JSON.parse(await response.text())
  return { objects: usage.heapUsed + usage.external, resident: usage.rss }
}

/** Returns the largest resident set size that a process had, in bytes. Linux only. */
export async function peakResident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

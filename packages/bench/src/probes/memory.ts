/** What a process holds, in bytes. */
export type Memory = {
  /** JavaScript objects and the buffers that belong to them. */
  objects: number
  /** All that the process occupies. */
  resident: number
}

export type ProbeOptions = { nodeArgs: string[]; env: Record<string, string> }

const mostReadings = 10
const restlessBytes = 50_000

/** What a server is started with to be asked for its memory at this port. */
export function probeOptions(port: number): ProbeOptions {
  const probe = new URL('memory-probe.ts', import.meta.url)
  return {
    nodeArgs: ['--expose-gc', '--import', probe.href],
    env: { BENCH_PROBE_PORT: String(port) },
  }
}

/**
 * The memory of the server that was started with the probe at this port, once it has nothing left to free: what ends in one
 * moment is let go of in the next.
 */
export async function readMemory(port: number): Promise<Memory> {
  let memory = await readOnce(port)
  for (let reading = 1; reading < mostReadings; reading += 1) {
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

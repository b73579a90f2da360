import { hostname } from 'node:os'
import { vi } from 'vitest'
import type { Db } from '#platform/database.ts'
import { type SiteProcess, type SiteProcessOptions, startWorkerProcess } from '../faults/site-process.ts'
import { waitOptions } from '../wait-options.ts'

/** A killed worker, as the ledger names it, and what it was handing over then. */
export type KilledWorker = { name: string; inFlight: number }

type Options = SiteProcessOptions & { say: (line: string) => void }

const maxTries = 10

/** Keeps a number of workers running, as a supervisor does, and kills them. */
export async function startWorkers(count: number, { say, ...options }: Options) {
  const running = new Set<SiteProcess>()
  const starting = new Set<Promise<void>>()

  /** Starts a worker, again if it can't start because Postgres is down. */
  async function startOne(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        running.add(await startWorkerProcess(options))
        return
      } catch (error) {
        if (tries === maxTries) throw error
        say(`A worker did not start: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  function start(): void {
    const started: Promise<void> = startOne().finally(() => starting.delete(started))
    starting.add(started)
  }

  for (let made = 0; made < count; made += 1) start()
  await Promise.all(starting)

  /** Returns the workers that are sending; if none is, all that run. */
  async function candidates(db: Db): Promise<[SiteProcess, ...SiteProcess[]]> {
    const senders = new Set((await db.deliverySender.findMany()).map(({ process }) => process))
    const sending = [...running].filter(({ pid }) => senders.has(nameOf(pid)))
    const [first, ...others] = sending.length > 0 ? sending : [...running]
    if (first === undefined) throw new Error('No worker runs')
    return [first, ...others]
  }

  return {
    /** Kills a worker, one that is sending if possible, and starts another one. */
    async kill(db: Db, random: () => number): Promise<KilledWorker> {
      const found = await vi.waitFor(() => candidates(db), waitOptions)
      const worker = found[Math.floor(random() * found.length)] ?? found[0]
      running.delete(worker)
      await worker.end('SIGKILL')
      start()
      return { name: nameOf(worker.pid), inFlight: await countInFlight(db, nameOf(worker.pid)) }
    },
    async stop(): Promise<void> {
      await Promise.all(starting)
      await Promise.all([...running].map((worker) => worker.end('SIGTERM')))
    },
  }
}

function nameOf(pid: number): string {
  return `${hostname()}:${pid}`
}

async function countInFlight(db: Db, process: string): Promise<number> {
  const senders = await db.deliverySender.findMany({ where: { process } })
  return await db.delivery.count({
    where: { state: 'sending', sentWith: null, claimedBy: { in: senders.map(({ id }) => id) } },
  })
}

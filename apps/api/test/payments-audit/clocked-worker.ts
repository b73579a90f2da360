import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../compile-cache.ts'

const program = fileURLToPath(new URL('./clocked-worker-program.ts', import.meta.url))

/** Starts a worker in a process of its own, which has the time that it is told. Resolves once it handles jobs. */
export async function startClockedWorker({
  env,
  folder,
  now,
}: {
  env: Record<string, string>
  folder: string
  now: Date
}) {
  const child = fork(program, {
    cwd: folder,
    env: { ...compileCache, NODE_ENV: 'test', DATA_DIR: folder, DATABASE_CONNECTIONS: '5', ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const working = waitForMessage(child, 'working')
  child.send(now.toISOString())
  await Promise.race([
    working,
    ended.then(([code]) => Promise.reject(new Error(`The worker ended: ${code}`))),
  ])

  return {
    /** Moves its clock, and resolves once it has. */
    async moveTo(instant: Date): Promise<void> {
      const moved = waitForMessage(child, 'moved')
      child.send(instant.toISOString())
      await moved
    },
    /** Kills the process and waits for its end. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function waitForMessage(child: ChildProcess, wanted: string): Promise<void> {
  for (;;) {
    const [message] = await once(child, 'message')
    if (message === wanted) return
  }
}

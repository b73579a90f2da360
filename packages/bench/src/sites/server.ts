import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '@tidings/launcher/child'
import { environmentWithoutSettings } from '@tidings/launcher/settings'
import type { Lifetime } from '../programs/lifetime.ts'

const readyMs = 60_000

/** A started server of the measured site. */
export type Server = {
  pid: number
  /** Rejects with its last lines when it ends by itself. */
  failure: Promise<never>
}

/** Starts a Node program with only these settings and a log of its own. */
export function startServer(
  lifetime: Lifetime,
  {
    name,
    dataDir,
    args,
    env,
  }: { name: string; dataDir: string; args: string[]; env: Record<string, string> },
): Server {
  const logFile = join(dataDir, 'logs', `${name}.log`)
  const child = startChild({ name, args, env: { ...environmentWithoutSettings(), ...env }, logFile })
  lifetime.atEnd(child.stop)
  const failure = child.exited.then(async (how): Promise<never> => {
    throw new Error(`${name} ${how}. Its last lines:\n${await child.lastLines()}`)
  })
  // Expected at the end, when the process is stopped.
  failure.catch(() => {})
  return { pid: child.pid, failure }
}

/** Waits until the server replies at this address. Rejects when it ends or takes a minute. */
export async function waitUntilReady(url: string, { failure }: Server): Promise<void> {
  const deadline = performance.now() + readyMs
  const isReady = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await Promise.race([isReady(), failure]))) {
    if (performance.now() > deadline) throw new Error(`${url} was not ready after a minute.`)
    await pause(50)
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { fail } from '../errors.ts'
import type { Logger } from '../logger.ts'
import {
  type HasherRequest,
  type HasherResult,
  type HasherTask,
  isHasherResponse,
} from './hasher-messages.ts'

type Options = { file: URL | string; threads: number; logger: Logger }

type RunningTask = {
  request: HasherRequest
  resolve(result: HasherResult): void
  reject(error: Error): void
  isRetry: boolean
  stuck: NodeJS.Timeout | null
}

// Behind the readers of an edition, but a third of a core beside neighbors that use all (ADR 0064).
const niceness = 2
const timeoutMs = 20_000
const backoffMs = { first: 100, longest: 5000 }
// Large pages, kept from one hash to the next, make hashing a quarter faster. For glibc 2.35 and later.
const memoryTunables = {
  GLIBC_TUNABLES: [
    'glibc.malloc.hugetlb=1',
    'glibc.malloc.mmap_threshold=1073741824',
    'glibc.malloc.trim_threshold=1073741824',
  ].join(':'),
}

/** Runs the hasher as a child process. It starts at the first task, and again, with backoff, when it ends. */
export function createHasherProcess({ file, threads, logger }: Options) {
  const running = new Map<number, RunningTask>()
  let child: ChildProcess | null = null
  let pause: NodeJS.Timeout | null = null
  let consecutiveExits = 0
  let lastId = 0
  let isClosed = false

  function start(): void {
    pause = null
    let started: ChildProcess
    try {
      started = forkHasher(file, threads)
    } catch (error) {
      ended({ err: error })
      return
    }
    child = started
    started.on('message', (message) => isHasherResponse(message) && finish(message.id, message.result))
    started.once('exit', (code, signal) => ended({ code, signal }))
    // Without a pid the process never ran, so no exit event follows.
    started.on('error', (error) => {
      if (started.pid === undefined) ended({ err: error })
    })
    logger.debug({ pid: started.pid }, 'password hasher started')
    for (const entry of running.values()) send(started, entry)
    keepAliveWhile(running.size > 0, child)
  }

  function ended(how: object): void {
    child = null
    consecutiveExits += 1
    if (!isClosed) logger.warn(how, 'password hasher exited')
    for (const entry of [...running.values()]) {
      if (entry.stuck) clearTimeout(entry.stuck)
      if (entry.isRetry || isClosed) refuse(entry)
      else entry.isRetry = true
    }
    if (running.size > 0) startSoon()
  }

  function startSoon(): void {
    if (child || pause) return
    if (consecutiveExits === 0) start()
    else pause = setTimeout(start, backoffAfter(consecutiveExits))
  }

  function send(process: ChildProcess, entry: RunningTask): void {
    entry.stuck = setTimeout(() => {
      logger.warn('password hasher timed out')
      process.kill('SIGKILL')
    }, timeoutMs)
    // The exit event reports a closed channel.
    process.send(entry.request, () => {})
  }

  function finish(id: number, result: HasherResult): void {
    const entry = running.get(id)
    if (!entry) return
    consecutiveExits = 0
    remove(entry)
    entry.resolve(result)
  }

  function refuse(entry: RunningTask): void {
    remove(entry)
    entry.reject(fail('service-unavailable'))
  }

  function remove(entry: RunningTask): void {
    if (entry.stuck) clearTimeout(entry.stuck)
    running.delete(entry.request.id)
    keepAliveWhile(running.size > 0, child)
  }

  return {
    /** Runs a task. Rejects with `service-unavailable` when the process ended twice during it. */
    async run(task: HasherTask): Promise<HasherResult> {
      if (isClosed) throw fail('service-unavailable')
      lastId += 1
      const { promise, resolve, reject } = Promise.withResolvers<HasherResult>()
      const request = { id: lastId, task }
      const entry: RunningTask = { request, resolve, reject, isRetry: false, stuck: null }
      running.set(lastId, entry)
      if (child) send(child, entry)
      else startSoon()
      keepAliveWhile(running.size > 0, child)
      return promise
    },

    async close(): Promise<void> {
      isClosed = true
      if (pause) clearTimeout(pause)
      for (const entry of [...running.values()]) refuse(entry)
      if (!child?.kill('SIGKILL')) return
      child.ref()
      await once(child, 'exit')
    },
  }
}

function backoffAfter(exits: number): number {
  return Math.min(backoffMs.first * 2 ** (exits - 1), backoffMs.longest)
}

/** Keeps this process alive only while tasks are running. */
function keepAliveWhile(isRunning: boolean, child: ChildProcess | null): void {
  if (isRunning) {
    child?.ref()
    child?.channel?.ref()
  } else {
    child?.unref()
    child?.channel?.unref()
  }
}

/**
 * NOTE: the hasher gets no environment, which holds secrets. It gets its own session, because Linux may schedule by
 * session: in ours, its CPU time would count against the readers.
 */
function forkHasher(file: URL | string, threads: number): ChildProcess {
  const child = fork(file, {
    env: { UV_THREADPOOL_SIZE: String(threads), ...memoryTunables },
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  lowerPriority(child)
  return child
}

/** NOTE: Linux priorities belong to threads and are inherited, so this one is set before the process starts any. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.max(niceness, getPriority()))
  } catch {
    // The process has exited.
  }
}

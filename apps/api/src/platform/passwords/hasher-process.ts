import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fail } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { type HasherRequest, type HasherResult, type HasherTask, isHasherAnswer } from './hasher-messages.ts'

type Options = { file: URL | string; threads: number; logger: Logger }

/** The parent's side of the hasher. */
export type HasherProcess = {
  /**
   * Has a task done, in the process that is there or in a new one. Rejects with `service-unavailable` when the
   * process ended twice over it.
   */
  run(task: HasherTask): Promise<HasherResult>
  /** Ends the process; what is under way is refused. */
  close(): Promise<void>
}

type UnderWay = {
  request: HasherRequest
  resolve(result: HasherResult): void
  reject(error: Error): void
  isSecondTry: boolean
  stuck: NodeJS.Timeout | null
}

// Below everything that answers readers, above what has to be idle.
const niceness = 19
const stuckAfterMs = 20_000
const pauseMs = { first: 100, longest: 5000 }
// Each hash walks at random through memory of its own. In large pages, and kept from one hash to the next, that takes a
// quarter less time, and no core has to stop for memory that is given back. For glibc from 2.35 on; others do not read it.
const quickMemory = {
  GLIBC_TUNABLES: [
    'glibc.malloc.hugetlb=1',
    'glibc.malloc.mmap_threshold=1073741824',
    'glibc.malloc.trim_threshold=1073741824',
  ].join(':'),
}

/** Holds one process for hashing. It starts at the first task, and again, after a pause, when it ended. */
export function createHasherProcess({ file, threads, logger }: Options): HasherProcess {
  const underWay = new Map<number, UnderWay>()
  let child: ChildProcess | null = null
  let pause: NodeJS.Timeout | null = null
  let endsInARow = 0
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
    started.on('message', (message) => {
      if (isHasherAnswer(message)) finish(message.id, message.result)
    })
    started.once('exit', (code, signal) => ended({ code, signal }))
    // Without a process number it never ran, and there is no exit to come.
    started.on('error', (error) => {
      if (started.pid === undefined) ended({ err: error })
    })
    logger.debug({ pid: started.pid }, 'the hasher has started')
    for (const entry of underWay.values()) send(started, entry)
    holdWhileBusy()
  }

  function ended(how: object): void {
    child = null
    endsInARow += 1
    if (!isClosed) logger.warn(how, 'the hasher ended; the next password starts another')
    for (const entry of [...underWay.values()]) {
      if (entry.stuck) clearTimeout(entry.stuck)
      if (entry.isSecondTry || isClosed) refuse(entry)
      else entry.isSecondTry = true
    }
    if (underWay.size > 0) startSoon()
  }

  function startSoon(): void {
    if (child || pause) return
    if (endsInARow === 0) start()
    else pause = setTimeout(start, Math.min(pauseMs.first * 2 ** (endsInARow - 1), pauseMs.longest))
  }

  function send(process: ChildProcess, entry: UnderWay): void {
    entry.stuck = setTimeout(() => {
      logger.warn('the hasher does not answer and is ended')
      process.kill('SIGKILL')
    }, stuckAfterMs)
    // A channel that is closed already says so by the end of the process.
    process.send(entry.request, () => {})
  }

  function finish(id: number, result: HasherResult): void {
    const entry = underWay.get(id)
    if (!entry) return
    endsInARow = 0
    remove(entry)
    entry.resolve(result)
  }

  function refuse(entry: UnderWay): void {
    remove(entry)
    entry.reject(fail('service-unavailable'))
  }

  function remove(entry: UnderWay): void {
    if (entry.stuck) clearTimeout(entry.stuck)
    underWay.delete(entry.request.id)
    holdWhileBusy()
  }

  /** Lets a program that has nothing else to do end, but not while somebody waits for an answer. */
  function holdWhileBusy(): void {
    if (underWay.size > 0) {
      child?.ref()
      child?.channel?.ref()
    } else {
      child?.unref()
      child?.channel?.unref()
    }
  }

  return {
    async run(task) {
      if (isClosed) throw fail('service-unavailable')
      lastId += 1
      const { promise, resolve, reject } = Promise.withResolvers<HasherResult>()
      const request = { id: lastId, task }
      const entry: UnderWay = { request, resolve, reject, isSecondTry: false, stuck: null }
      underWay.set(lastId, entry)
      if (child) send(child, entry)
      else startSoon()
      holdWhileBusy()
      return promise
    },

    async close() {
      isClosed = true
      if (pause) clearTimeout(pause)
      for (const entry of [...underWay.values()]) refuse(entry)
      if (!child?.kill('SIGKILL')) return
      child.ref()
      await once(child, 'exit')
    },
  }
}

/**
 * NOTE: nothing of the environment is handed on: the secrets in it are no business of this process. It gets a session of
 * its own, because Linux may share the cores out by session: in ours, all that it uses would count against the readers.
 */
function forkHasher(file: URL | string, threads: number): ChildProcess {
  const child = fork(file, {
    env: { UV_THREADPOOL_SIZE: String(threads), ...quickMemory },
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  lowerPriority(child)
  return child
}

/**
 * NOTE: on Linux a priority belongs to a thread and is inherited by those it starts later, so it is set from outside,
 * before the process has started any. Where the cores are shared out by session, it only counts within one, and the
 * session itself has a second one.
 */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, niceness)
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness), { flag: 'r+' })
  } catch {
    // The process is gone already, which its end will tell, or its session has no priority of its own here.
  }
}

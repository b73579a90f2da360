import { type ChildProcess, fork } from 'node:child_process'
import type { Logger } from '#platform/logger.ts'
import {
  type CompileRequest,
  type CompileResponse,
  isCompileResponse,
  memorySignal,
} from './pdf-compiler-messages.ts'

type Options = { file: string; maxMegabytes: number; logger: Logger }

export type CompilerProcess = ReturnType<typeof startCompiler>

/** Starts a compiler. It gets no environment, which holds secrets. */
export function startCompiler({ file, maxMegabytes, logger }: Options) {
  const child = fork(file, [String(maxMegabytes)], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<null>((resolve) => {
    child.once('exit', () => resolve(null))
    // Without a pid the process never ran, so no exit event follows.
    child.on('error', () => child.pid === undefined && resolve(null))
  })
  unref(child)
  logger.debug({ pid: child.pid }, 'pdf compiler started')

  return {
    /** Compiles a document. Returns no response if the process ends, or is killed because it exceeds a limit. */
    async compile(
      request: CompileRequest,
      timeoutMs: number,
    ): Promise<{ response: CompileResponse | null; isOverLimit: boolean }> {
      let isTimeout = false
      child.ref()
      child.channel?.ref()
      const timeout = setTimeout(() => {
        isTimeout = true
        child.kill('SIGKILL')
      }, timeoutMs)
      // The end of the process reports a closed channel.
      child.send(request, () => {})
      const message = new Promise<unknown>((resolve) => child.once('message', resolve))
      const response = await Promise.race([message, ended])
      clearTimeout(timeout)
      unref(child)
      if (isCompileResponse(response)) return { response, isOverLimit: false }
      logger.warn({ code: child.exitCode, signal: child.signalCode, isTimeout }, 'pdf compiler exited')
      return { response: null, isOverLimit: isTimeout || child.signalCode === memorySignal }
    },

    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGKILL')) return
      child.ref()
      await ended
    },
  }
}

/** Lets this process exit while the compiler is idle. */
function unref(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

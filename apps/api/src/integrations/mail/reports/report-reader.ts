import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Logger } from '#platform/logger.ts'
import { createSerialQueue } from '#platform/serial-queue.ts'
import type { MailReport } from './mail-report.ts'
import { maxReportBytes } from './read-report.ts'

type Options = {
  /** The program of the thread. */
  file: string | URL
  logger: Logger
  timeoutMs?: number
}

const maxWaiting = 50
const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 1 }

const reportSchema: z.ZodType<MailReport | null> = z.nullable(
  z.object({
    kind: z.enum(['bounced', 'complained']),
    status: z.string(),
    diagnosis: z.string(),
    reason: z.string(),
    quoted: z.array(z.string()),
  }),
)

/** Reads reports in a thread with limits on time and memory. It starts at the first report, and again after one that ended it. */
export function createReportReader({ file, logger, timeoutMs = 5_000 }: Options) {
  const enqueue = createSerialQueue({ maxWaiting })
  let thread: Worker | null = null

  function start(): Worker {
    // It gets no environment, which holds secrets.
    const started = new Worker(file, { env: {}, resourceLimits })
    started.unref()
    started.on('error', (error) => logger.debug({ err: error }, 'report reader failed'))
    started.on('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  async function end(running: Worker): Promise<void> {
    if (thread === running) thread = null
    await running.terminate()
  }

  async function readNext(source: Uint8Array): Promise<MailReport | null> {
    thread ??= start()
    const running = thread
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const exited = () => reject(new Error('The thread ended'))
    running.once('message', resolve).once('error', reject).once('exit', exited)
    const timeout = setTimeout(() => reject(new Error('The time limit is exceeded')), timeoutMs)
    try {
      running.postMessage(source)
      return reportSchema.parse(await promise)
    } catch (error) {
      logger.warn({ err: error }, 'bounce report read failed')
      await end(running)
      throw error
    } finally {
      clearTimeout(timeout)
      running.off('message', resolve).off('error', reject).off('exit', exited)
    }
  }

  return {
    /** Returns null for an email that is no report. Rejects for one that exceeds a limit, and while too many wait. */
    async read(source: Uint8Array): Promise<MailReport | null> {
      return await enqueue(() => readNext(source.slice(0, maxReportBytes)))
    },
    async close(): Promise<void> {
      if (thread !== null) await end(thread)
    },
  }
}

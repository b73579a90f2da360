import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fail } from '#platform/errors.ts'
import type { Logger } from '#platform/logger.ts'
import { createSerialQueue } from '#platform/serial-queue.ts'
import { type CompilerProcess, startCompiler } from './compiler-process.ts'
import type { CompileRequest, CompileResponse } from './pdf-compiler-messages.ts'
import type { PdfRenderer } from './pdf-renderer.ts'

type Options = {
  /** The program that compiles: `pdf-compiler.ts` among the sources, `pdf-compiler.js` beside the bundles. */
  file: string
  logger: Logger
  timeoutMs?: number
  maxMegabytes?: number
}

const defaults = { timeoutMs: 30_000, maxMegabytes: 600 }
// Each document leaves 2 MB, so a compiler is replaced after a few, and ends when there are no more.
const documentsOfOneCompiler = 20
// Its successor starts meanwhile, which takes as long as a few documents.
const documentsBeforeSuccessor = 14
const idleMs = 10_000

type Successor = { compiler: CompilerProcess; isWarm: ReturnType<CompilerProcess['compile']> }

/**
 * Renders with Typst, one document at a time, in a child process: its crashes, memory and time stay there. It starts at
 * the first document and never keeps this process alive.
 */
export function createTypstPdfRenderer(options: Options): PdfRenderer {
  const { file, logger, timeoutMs, maxMegabytes } = { ...defaults, ...options }
  const template = readFileSync(path.join(path.dirname(file), 'edition.typ'))
  const enqueue = createSerialQueue()
  let compiler: CompilerProcess | null = null
  let successor: Successor | null = null
  let rendered = 0
  let idle: NodeJS.Timeout | null = null
  let isClosed = false

  /** Compiles a document; once more if the compiler ends for another reason than the document's time or memory. */
  async function compile(request: CompileRequest): Promise<CompileResponse | null> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      if (isClosed) return null
      compiler ??= await nextCompiler()
      const { response, isOverLimit } = await compiler.compile(request, timeoutMs)
      if (response !== null) return response
      compiler = null
      if (isOverLimit) return null
    }
    return null
  }

  async function nextCompiler(): Promise<CompilerProcess> {
    const next = successor
    successor = null
    rendered = 0
    await next?.isWarm
    return next?.compiler ?? startCompiler({ file, maxMegabytes, logger })
  }

  /** Starts the next compiler. It compiles a document once, as the first one takes longer than the others. */
  function startSuccessor(request: CompileRequest): Successor {
    const next = startCompiler({ file, maxMegabytes, logger })
    return { compiler: next, isWarm: next.compile(request, timeoutMs) }
  }

  async function renderNext(request: CompileRequest): Promise<Buffer> {
    if (idle !== null) clearTimeout(idle)
    const response = await compile(request)
    rendered += 1
    if (rendered === documentsBeforeSuccessor && response !== null) successor = startSuccessor(request)
    if (rendered >= documentsOfOneCompiler) {
      void compiler?.stop()
      compiler = null
    }
    idle = setTimeout(stop, idleMs).unref()
    if (response === null) throw fail('service-unavailable')
    if ('error' in response) throw new Error(`Typst: ${response.error}`)
    if (response.problem !== null) logger.warn({ problem: response.problem }, 'pdf not accessible')
    return Buffer.from(response.pdf)
  }

  async function stop(): Promise<void> {
    const ending = [compiler, successor?.compiler]
    const isWarm = successor?.isWarm
    compiler = null
    successor = null
    await isWarm
    await Promise.all(ending.map((each) => each?.stop()))
  }

  return {
    version: createHash('sha256').update(template).digest('hex').slice(0, 16),

    async render(document, pictures) {
      if (isClosed) throw fail('service-unavailable')
      return await enqueue(() => renderNext({ document, pictures }))
    },

    async close() {
      isClosed = true
      if (idle !== null) clearTimeout(idle)
      await stop()
    },
  }
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { NodeCompiler, PdfStandard } from '@myriaddreamin/typst-ts-node-compiler'
import { createSubstitution } from './font-coverage.ts'
import { locateFont } from './font-files.ts'
import {
  type CompileRequest,
  type CompileResponse,
  isCompileRequest,
  memorySignal,
} from './pdf-compiler-messages.ts'
import { coverageFiles, fallbackFonts, fontFiles } from './pdf-fonts.ts'
import { readFont, type ScriptFont, scriptFontsOf } from './script-fonts.ts'

const template = fileURLToPath(new URL('edition.typ', import.meta.url))
const memoryCheckMs = 100
// No font shows these.
const unseen = new Set(['url', 'file'])

/** The compiler: a child process that makes PDFs with Typst, one after another. It exits with the channel. */
function main(): void {
  const maxMegabytes = Number(process.argv[2])
  new Worker(new URL(import.meta.url), { workerData: maxMegabytes }).unref()
  const compile = createCompiler()
  process.on('message', (message) => {
    if (!isCompileRequest(message)) return
    endAbove(maxMegabytes)
    process.send?.(respond(compile, message), () => {})
  })
  process.on('disconnect', () => process.exit())
  // A whole process group receives these; the parent finishes its documents first.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
}

/** Ends the process when it uses too much memory. Typst's own memory has no limit. */
function endAbove(maxMegabytes: number): void {
  if (process.memoryUsage.rss() > maxMegabytes * 1_000_000) process.kill(process.pid, memorySignal)
}

function respond(compile: ReturnType<typeof createCompiler>, request: CompileRequest): CompileResponse {
  try {
    return compile(request)
  } catch (error) {
    return { error: messageOf(error) }
  }
}

function createCompiler() {
  const workspace = path.dirname(template)
  const substitute = createSubstitution(readFont)
  const compilers = new Map<string, NodeCompiler>()

  /** Returns a compiler with the fonts of these scripts. One that has them in memory opens the others when needed. */
  function compilerFor(scripts: readonly ScriptFont[]): NodeCompiler {
    const key = scripts.map(({ family }) => family).join()
    const fontBlobs = scripts.flatMap(({ files }) => files.map(readFont))
    // NOTE: Typst's node bindings abort if fonts in memory follow files.
    const fontArgs = [{ fontBlobs }, { fontPaths: fontFiles.map(locateFont) }]
    const compiler = compilers.get(key) ?? NodeCompiler.create({ workspace, fontArgs })
    compilers.set(key, compiler)
    return compiler
  }

  return ({ document, pictures }: CompileRequest): CompileResponse => {
    const scripts = scriptFontsOf(JSON.stringify(document))
    const compiler = compilerFor(scripts)
    const files = coverageFiles(scripts)
    const json = JSON.stringify(
      { ...document, fallbackFonts: fallbackFonts(scripts) },
      (key, value: unknown) =>
        typeof value === 'string' && !unseen.has(key) ? substitute(value, files) : value,
    )
    compiler.resetShadow()
    compiler.mapShadow(path.join(workspace, 'document.json'), Buffer.from(json))
    for (const [name, bytes] of pictures) compiler.mapShadow(path.join(workspace, name), Buffer.from(bytes))
    const compiled = compiler.compile({ mainFileContent: readFileSync(template, 'utf8') })
    const pages = compiled.result
    // NOTE: `hasError` can be false although there are errors.
    if (pages === null) return { error: JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics) }
    try {
      return { pdf: compiler.pdf(pages, { pdfStandard: PdfStandard.UA_1 }), problem: null }
    } catch (error) {
      // Something that is not accessible is still better than nothing.
      return { pdf: compiler.pdf(pages), problem: messageOf(error) }
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

// The main thread is busy while it compiles, so another one watches the memory.
if (isMainThread) main()
else setInterval(endAbove, memoryCheckMs, workerData)

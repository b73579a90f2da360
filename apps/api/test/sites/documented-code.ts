import { readFile } from 'node:fs/promises'

const root = new URL('../../../../', import.meta.url)
const block = /^```(\w*)\n([\s\S]*?)^```$/gm

/** The programs that run `tidings` in the documents: Docker Compose, a checkout or a hook. */
const wrapper =
  /^(?:docker compose (?:exec|run)(?: -T| --rm)? (?:api|worker) |npx --yes pnpm@12 |\[ "\$2" = primary \] && )(?=tidings )/

/** The code of a page that may be a command, each once. */
export type DocumentedCode = {
  /** Calls of `tidings`, without what runs it. */
  tidings: string[]
  /** Lines of shell blocks, and code with a space in the text. */
  other: string[]
}

/** Returns what a page tells an operator to run. The parts of a command between semicolons are commands of their own. */
export async function readDocumentedCode(page: string): Promise<DocumentedCode> {
  const text = await readDocument(page)
  const lines = [...text.matchAll(block)].flatMap(([, language, code = '']) =>
    language === 'sh' ? code.trim().split('\n') : [],
  )
  const spans = [...text.replaceAll(block, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  )
  const found = [...lines, ...spans.filter((span) => span.includes(' '))]
  const parts = found.flatMap((code) => code.split('; ')).map((code) => code.replace(wrapper, ''))
  const isTidings = (code: string) => code.startsWith('tidings ')
  return {
    tidings: [...new Set(parts.filter(isTidings))].filter((code) => !code.endsWith('…')),
    other: [...new Set(parts.filter((code) => !isTidings(code)))],
  }
}

/** Returns the text of a file of the repository. */
export async function readDocument(file: string): Promise<string> {
  return await readFile(new URL(file, root), 'utf8')
}

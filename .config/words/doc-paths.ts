import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A line that names a path or an ADR which doesn't exist, or ends an ADR that is too long. */
export type DocFinding = { file: string; line: number; problem: string }

const adrFolder = '.github/adr/'
const maxAdrLines = 40

const codePath =
  /`((?:[\w.@-]+\/)*[\w.-]+\.(?:tsx?|[cm]?[jt]s|css|json5?|prisma|sql|md|ya?ml|typ)|(?:apps|packages|prisma|features|platform|integrations|\.github|\.config)\/[\w./-]+)`/g
const link = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g
const adr = /\bADRs? \[?0*(\d+)/g
// Names that stand for any name, and files that a running site writes.
const placeholder = /(?:^|\/)(?:thing|x|NAME)\.|YYYY|^folder\.json$|^apps\/desk$/

/** Finds what is wrong with the documents among a repository's tracked files, and with the ADRs that its files name. */
export function findDocProblems(
  folder: string,
  tracked: readonly string[],
  checked: readonly string[],
): DocFinding[] {
  const paths = new Set(tracked.flatMap(withFolders))
  const suffixes = new Set([...paths].flatMap(suffixesOf))
  const adrs = readAdrs(folder, tracked)
  return checked.flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    const problems = lines.flatMap((text, index) => {
      const missing = file.endsWith('.md') ? missingPaths(file, text, paths, suffixes) : []
      const gone = file.startsWith(adrFolder) ? [] : goneAdrs(text, adrs)
      return [...missing, ...gone].map((problem) => ({ file, line: index + 1, problem }))
    })
    const length = lines.filter((text, index) => text !== '' || index < lines.length - 1).length
    if (!isAdr(file) || length <= maxAdrLines) return problems
    return [...problems, { file, line: length, problem: `an ADR has at most ${maxAdrLines} lines` }]
  })
}

function missingPaths(
  file: string,
  text: string,
  paths: ReadonlySet<string>,
  suffixes: ReadonlySet<string>,
): string[] {
  const named = [...text.matchAll(codePath)].map(([, path = '']) => path.replace(/\/$/, ''))
  const linked = [...text.matchAll(link)].map(([, path = '']) => path).filter((path) => !path.includes(':'))
  return [
    ...named.filter((path) => !placeholder.test(path) && !suffixes.has(path)),
    ...linked.filter((path) => !paths.has(posix.join(posix.dirname(file), path))),
  ].map((path) => `${path} doesn't exist`)
}

function goneAdrs(text: string, adrs: ReadonlyMap<number, boolean>): string[] {
  return [...text.matchAll(adr)].flatMap(([, digits = '']) => {
    const isCurrent = adrs.get(Number(digits))
    if (isCurrent === undefined) return [`ADR ${digits} doesn't exist`]
    return isCurrent ? [] : [`ADR ${digits} is superseded`]
  })
}

/** Reads which numbers of ADRs exist, and which of these are not superseded. */
function readAdrs(folder: string, tracked: readonly string[]): Map<number, boolean> {
  return new Map(
    tracked.filter(isAdr).map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [Number(file.slice(adrFolder.length, adrFolder.length + 4)), !/^Status: superseded/m.test(text)]
    }),
  )
}

function isAdr(file: string): boolean {
  return file.startsWith(adrFolder) && /^\d/.test(file.slice(adrFolder.length))
}

function withFolders(path: string): string[] {
  return path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
}

function suffixesOf(path: string): string[] {
  return path.split('/').map((_, index, parts) => parts.slice(index).join('/'))
}

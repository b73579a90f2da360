import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDocProblems } from './doc-paths.ts'
import { readersWordTable, siteWordTable, wordTable } from './word-table.ts'

const repositoryRoot = join(import.meta.dirname, '../..')

/** A line with a word of the table. */
export type WordFinding = { file: string; line: number; word: string; replacement: string }

const checked =
  /\.(ts|tsx|cts|mts|js|cjs|mjs|css|html|md|json|jsonc|prisma|sql|yml|yaml)$|^\.env\.example$|^\.ci\/run$/
// Sample editions, generated text, the table with its test, and the paper that explains it.
const exempt =
  /^apps\/api\/seed\/content\/|^pnpm-lock\.yaml$|^LICENSE|^\.config\/words\/|^\.github\/CONTRIBUTING\.md$/

// The texts for readers. The people at the desk sign in.
const forReaders =
  /^(?:apps\/web\/src|apps\/api\/src\/(?!features\/(?:desk|people|mail\/emails\/desk)\/|commands\/people\.ts)|packages\/contracts\/src\/(?!desk\/)|packages\/client\/src|packages\/widget\/src\/(?!translations\/(?:notices\/)?(?:de|es|fr)\.ts$)).*\.tsx?$/
const site = /^apps\/web\/src\//
const tests = /\.test\.tsx?$|\/testing\//
const comment = /^\s*(?:\/\/|\/?\*)/

/** Finds the words of the tables in a folder's files, by their paths. */
export function findWords(folder: string, files: readonly string[]): WordFinding[] {
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((text, index) =>
        tableOf(file, text).flatMap(([pattern, replacement]) => {
          const [word] = pattern.exec(text) ?? []
          return word === undefined ? [] : [{ file, line: index + 1, word: word.trim(), replacement }]
        }),
      ),
  )
}

function tableOf(file: string, line: string): typeof wordTable {
  const isRead = forReaders.test(file) && !tests.test(file) && !comment.test(line)
  if (!isRead) return wordTable
  return [...wordTable, ...readersWordTable, ...(site.test(file) ? siteWordTable : [])]
}

/** Lists the files of this checkout that git tracks and the check reads. */
export function listCheckedFiles(): string[] {
  return listTrackedFiles().filter((file) => checked.test(file) && !exempt.test(file))
}

function listTrackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: repositoryRoot, encoding: 'utf8' })
  return listed.split('\0').filter((file) => file !== '')
}

function main(): void {
  const files = listCheckedFiles()
  // Outside a git checkout nothing would be read, and the check could not fail.
  if (files.length < 500) throw new Error(`Only ${files.length} files were found. Is this a git checkout?`)
  const findings = findWords(repositoryRoot, files)
  for (const { file, line, word, replacement } of findings) {
    console.error(`${file}:${line}: '${word}' → ${replacement}`)
  }
  const documents = [...files, '.github/CONTRIBUTING.md']
  const problems = findDocProblems(repositoryRoot, listTrackedFiles(), documents)
  for (const { file, line, problem } of problems) console.error(`${file}:${line}: ${problem}`)
  const isFine = findings.length + problems.length === 0
  console.log(isFine ? `${files.length} files use the house words, and name what exists.` : '')
  process.exitCode = isFine ? 0 : 1
}

if (import.meta.main) main()

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@tidings/launcher/repository'

const pages = ['README.md', 'apps/api/README.md', '.github/OPERATING.md', 'packages/ops/README.md'].map(
  (name) => readFileSync(join(repositoryRoot, name), 'utf8'),
)

/**
 * Returns a command, once it is sure that the documents have it word for word: a whole block, a line of one, or code in a
 * text. `values` replaces the examples in it, such as a domain. Throws when the documents say something else.
 */
export function documented(command: string, values: Readonly<Record<string, string>> = {}): string {
  const isKnown = pages.some((page) => page.includes(`\`${command}\``) || linesOf(page).includes(command))
  if (!isKnown) throw new Error(`The documents don't have this command:\n${command}`)
  return fillIn(command, values)
}

/** Returns the whole block of shell commands that begins with a line. */
export function documentedBlock(firstWords: string, values: Readonly<Record<string, string>> = {}): string {
  for (const page of pages) {
    for (const [, block = ''] of page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)) {
      if (block.startsWith(firstWords)) return fillIn(block, values)
    }
  }
  throw new Error(`The documents don't have a block that begins with: ${firstWords}`)
}

function linesOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'))
}

function fillIn(command: string, values: Readonly<Record<string, string>>): string {
  let filled = command
  for (const [example, value] of Object.entries(values)) {
    if (!filled.includes(example)) throw new Error(`The documents no longer have the example ${example}.`)
    filled = filled.replaceAll(example, value)
  }
  return filled
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Values on disk, by name. */
export type Journal = {
  /** Stores a value within 0.1 seconds; undefined removes it. */
  write(name: string, value: unknown): void
  /** Writes pending values. */
  flush(): void
}

type Options = {
  directory: string
  /** Receives the stored JSON values, in the order of their first writes. */
  restore(name: string, json: string): void
  /** Returns everything to store. */
  current(): Iterable<[name: string, value: unknown]>
}

const delayMs = 100

/** The file is rewritten when it has so many lines more than needed. */
const spareLines = 50_000

/**
 * Appends one line per change: the name, a space and the value as JSON, or the name alone for a removal. Names have
 * no spaces. The last line of a name counts.
 */
export function openJournal({ directory, restore, current }: Options): Journal {
  const file = join(directory, 'journal.jsonl')
  mkdirSync(directory, { recursive: true })
  for (const [name, json] of readJournal(file)) restore(name, json)
  rewrite()
  let lines = 0
  let waiting = new Map<string, unknown>()
  let timer: NodeJS.Timeout | undefined

  function rewrite() {
    const whole = Array.from(current(), lineOf)
    writeFileSync(`${file}.new`, whole.join(''))
    renameSync(`${file}.new`, file)
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const changes = Array.from(waiting, lineOf)
    waiting = new Map()
    lines += changes.length
    if (lines > spareLines) {
      lines = 0
      rewrite()
    } else {
      appendFileSync(file, changes.join(''))
    }
  }

  return {
    write(name, value) {
      waiting.set(name, value)
      timer ??= setTimeout(flush, delayMs)
      timer.unref()
    },
    flush,
  }
}

function lineOf([name, value]: [string, unknown]): string {
  return value === undefined ? `${name}\n` : `${name} ${JSON.stringify(value)}\n`
}

function readJournal(file: string): Map<string, string> {
  const kept = new Map<string, string>()
  if (!existsSync(file)) return kept
  // An incomplete last line is ignored.
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const space = line.indexOf(' ')
    if (space === -1) kept.delete(line)
    else kept.set(line.slice(0, space), line.slice(space + 1))
  }
  return kept
}

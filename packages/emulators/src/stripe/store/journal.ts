import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is kept on disk, by a name each. */
export type Journal = {
  /** Keeps a value under its name; undefined forgets it. It is on disk within a fifth of a second. */
  write(name: string, value: unknown): void
  /** Writes what is waiting. */
  flush(): void
}

type Options = {
  directory: string
  /** Gets what was kept as JSON, in the order in which the names first came. */
  restore(name: string, json: string): void
  /** Everything that is to be kept now. */
  current(): Iterable<[name: string, value: unknown]>
}

const delayMs = 100

/** The journal is written anew when it has this many lines more than it needs. */
const spareLines = 50_000

/**
 * A file of changes, one line each: the name, a space, the value as JSON, or the name alone for what is gone. Names
 * have no spaces. The last line of a name holds; a line that broke off when the process died is none.
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
  // What follows the last line's end is a line that broke off.
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const space = line.indexOf(' ')
    if (space === -1) kept.delete(line)
    else kept.set(line.slice(0, space), line.slice(space + 1))
  }
  return kept
}

import type { Child } from './child.ts'

/** How many crashes within a minute end the restarts. */
export type RestartPolicy = { maxCrashesPerMinute: number }

/** The callbacks of children that run as long as the site. */
export type Supervision = {
  say(line: string): void
  /** Called once, when a child crashed too often. */
  giveUp(reason: Error): void
  /** Called with each started child, including the first one. */
  onStart(child: Child): void
}

const minuteMs = 60_000
const maxBackoffMs = 30_000

/** Returns the delay before the next start, from the number of crashes within the last minute. */
export function backoffMs(crashes: number): number {
  return Math.min(500 * 2 ** (crashes - 1), maxBackoffMs)
}

/** Restarts a child with exponential backoff whenever it ends by itself. Returns a function that stops it. */
export function keepRunning(
  start: () => Child,
  { maxCrashesPerMinute }: RestartPolicy,
  { say, giveUp, onStart }: Supervision,
  first: Child,
): () => Promise<void> {
  let child = first
  let stopping = false
  let restartTimer: NodeJS.Timeout | undefined
  const crashes: number[] = []

  async function watch() {
    const how = await child.exited
    if (stopping) return
    crashes.push(Date.now())
    const recent = crashes.filter((at) => at > Date.now() - minuteMs).length
    const report = `The ${child.name} ${how}. Its last lines:\n${await child.lastLines()}`
    if (stopping) return
    if (recent >= maxCrashesPerMinute) {
      giveUp(new Error(`${report}\nIt ended ${recent} times within a minute. Tidings ends now.`))
      return
    }
    say(`${report}\nIt restarts in ${backoffMs(recent) / 1_000} s.`)
    restartTimer = setTimeout(() => {
      child = start()
      onStart(child)
      void watch()
    }, backoffMs(recent))
  }

  void watch()
  return async () => {
    stopping = true
    clearTimeout(restartTimer)
    await child.stop()
  }
}

import type { Child } from './child.ts'

/** How often something may end within a minute before nobody starts it again. */
export type Patience = { endsPerMinute: number }

/** What happens around children that should live as long as the site. */
export type Supervision = {
  say(line: string): void
  /** Called once, when it makes no sense to go on. */
  giveUp(reason: Error): void
  /** Called with each child that was started, the first ones included. */
  onStart(child: Child): void
}

const minuteMs = 60_000
const longestPauseMs = 30_000

/** How long to wait before the next start, after so many ends within the last minute. */
export function pauseMs(ends: number): number {
  return Math.min(500 * 2 ** (ends - 1), longestPauseMs)
}

/** Starts a child again, after a growing pause, whenever it ends without being asked to. Answers with what stops it. */
export function keepRunning(
  start: () => Child,
  { endsPerMinute }: Patience,
  { say, giveUp, onStart }: Supervision,
  first: Child,
): () => Promise<void> {
  let child = first
  let stopping = false
  let pause: NodeJS.Timeout | undefined
  const ends: number[] = []

  async function watch() {
    const how = await child.exited
    if (stopping) return
    ends.push(Date.now())
    const recent = ends.filter((at) => at > Date.now() - minuteMs).length
    const story = `The ${child.name} ${how}. Its last lines:\n${await child.lastLines()}`
    if (stopping) return
    if (recent >= endsPerMinute) {
      giveUp(new Error(`${story}\nThat was ${recent} times within a minute: giving up.`))
      return
    }
    say(`${story}\nStarting it again in ${pauseMs(recent) / 1_000} s.`)
    pause = setTimeout(() => {
      child = start()
      onStart(child)
      void watch()
    }, pauseMs(recent))
  }

  void watch()
  return async () => {
    stopping = true
    clearTimeout(pause)
    await child.stop()
  }
}

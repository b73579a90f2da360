/** The part of a terminal or a pipe that progress is written to. */
type Out = { isTTY?: boolean; write(text: string): unknown }

export type Progress = {
  /** Shows that this is being done until it settles, then how long it took. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>
  /** One line of its own, also while a step is going on. */
  say(line: string): void
}

const tickMs = 200
const plainTickMs = 10_000
const clearLine = '\r\u001b[2K'

/** Progress with elapsed times: one moving line on a terminal, plain lines anywhere else. */
export function createProgress(out: Out = process.stdout, now: () => number = Date.now): Progress {
  const moving = out.isTTY === true
  let current: { label: string; since: number } | undefined

  function draw() {
    if (moving && current) out.write(`${clearLine}… ${current.label} ${seconds(now() - current.since)}`)
  }

  function say(line: string) {
    out.write(`${moving && current ? clearLine : ''}${line}\n`)
    draw()
  }

  return {
    say,
    async step(label, work) {
      current = { label, since: now() }
      const { since } = current
      if (moving) draw()
      else out.write(`… ${label}\n`)
      const timer = setInterval(
        () => {
          if (moving) draw()
          else out.write(`… ${label}: ${seconds(now() - since)} so far\n`)
        },
        moving ? tickMs : plainTickMs,
      )
      let mark = '✗'
      try {
        const result = await work()
        mark = '✓'
        return result
      } finally {
        clearInterval(timer)
        current = undefined
        out.write(`${moving ? clearLine : ''}${mark} ${label} (${seconds(now() - since)})\n`)
      }
    },
  }
}

/** Milliseconds as people read them: `3.2 s`, `1 min 5 s`. */
export function seconds(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}

type Output = { isTTY?: boolean; write(text: string): unknown }

export type Progress = {
  /** Shows a step until it settles, then its duration. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>
  /** Prints a line, also during a step. */
  say(line: string): void
}

const refreshMs = 200
const plainRefreshMs = 10_000
const clearLine = '\r\u001b[2K'

/** Prints steps with elapsed times: one updating line on a terminal, plain lines elsewhere. */
export function createProgress(out: Output = process.stdout, now: () => number = Date.now): Progress {
  const isTerminal = out.isTTY === true
  let current: { label: string; since: number } | undefined

  function draw() {
    if (isTerminal && current)
      out.write(`${clearLine}… ${current.label} ${formatDuration(now() - current.since)}`)
  }

  function say(line: string) {
    out.write(`${isTerminal && current ? clearLine : ''}${line}\n`)
    draw()
  }

  return {
    say,
    async step(label, work) {
      current = { label, since: now() }
      const { since } = current
      if (isTerminal) draw()
      else out.write(`… ${label}\n`)
      const timer = setInterval(
        () => {
          if (isTerminal) draw()
          else out.write(`… ${label}: ${formatDuration(now() - since)} so far\n`)
        },
        isTerminal ? refreshMs : plainRefreshMs,
      )
      let mark = '✗'
      try {
        const result = await work()
        mark = '✓'
        return result
      } finally {
        clearInterval(timer)
        current = undefined
        out.write(`${isTerminal ? clearLine : ''}${mark} ${label} (${formatDuration(now() - since)})\n`)
      }
    },
  }
}

/** Formats a duration: `3.2 s`, `1 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  // Rounded before it is divided, so that no duration has 60 seconds.
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

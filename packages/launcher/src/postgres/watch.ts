import { lastLinesOf } from '../process/child.ts'
import { pauseMs, type Supervision } from '../process/supervision.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'

const lookEveryMs = 5_000
const endsBeforeGivingUp = 3

/**
 * Looks after a server that is no child of this process: when it is gone, it is started again on the same port.
 * Answers with what ends the watch.
 */
export function keepPostgres(
  server: EmbeddedPostgres,
  options: EmbeddedPostgresOptions,
  { say, giveUp }: Supervision,
): () => void {
  let ends = 0
  let watching = true
  let timer = setTimeout(look, lookEveryMs)

  async function look() {
    if (!(await server.isRunning()) && watching) await startAgain()
    if (watching) timer = setTimeout(look, lookEveryMs)
  }

  async function startAgain() {
    ends += 1
    const story = `PostgreSQL has ended. Its last lines:\n${await lastLinesOf(server.logFile)}`
    if (ends >= endsBeforeGivingUp) {
      watching = false
      giveUp(new Error(`${story}\nThat was ${ends} times: giving up.`))
      return
    }
    say(`${story}\nStarting it again in ${pauseMs(ends) / 1_000} s.`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs(ends)))
    if (!watching) return
    try {
      await startEmbeddedPostgres({ ...options, port: server.port })
    } catch (error) {
      watching = false
      giveUp(error instanceof Error ? error : new Error(String(error)))
    }
  }

  return () => {
    watching = false
    clearTimeout(timer)
  }
}

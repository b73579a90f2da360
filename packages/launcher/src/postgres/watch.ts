import { lastLinesOf } from '../process/child.ts'
import { backoffMs, type Supervision } from '../process/supervision.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'

const checkIntervalMs = 5_000
const maxCrashes = 3

/**
 * Restarts a server on the same port when it ends. It is not a child of this process, so it has to be polled.
 * Returns a function that ends the watch.
 */
export function keepPostgres(
  server: EmbeddedPostgres,
  options: EmbeddedPostgresOptions,
  { say, giveUp }: Supervision,
): () => void {
  let crashes = 0
  let watching = true
  let timer = setTimeout(check, checkIntervalMs)

  async function check() {
    if (!(await server.isRunning()) && watching) await restart()
    if (watching) timer = setTimeout(check, checkIntervalMs)
  }

  async function restart() {
    crashes += 1
    const report = `PostgreSQL has stopped. Its last lines:\n${await lastLinesOf(server.logFile)}`
    if (crashes >= maxCrashes) {
      watching = false
      giveUp(new Error(`${report}\nIt has stopped ${crashes} times. Tidings ends now.`))
      return
    }
    say(`${report}\nIt restarts in ${backoffMs(crashes) / 1_000} s.`)
    await new Promise((resolve) => setTimeout(resolve, backoffMs(crashes)))
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

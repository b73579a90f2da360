import type { Db, Sql } from '../database.ts'
import type { SentEntry } from './sent-log.ts'

/** A table of outgoing messages, as the guard sees it. */
export type Ledger = {
  /** The name in the log's files. */
  name: string
  /** Returns whether one of these messages was handed over more often than the ledger knows. */
  isBehind(sql: Sql, messages: readonly { id: string; attempts: number }[]): Promise<boolean>
  /** Corrects a restored ledger: these messages were handed over. Returns how many of them it didn't know. */
  settle(sql: Sql, entries: readonly SentEntry[], now: Date): Promise<number>
  /** Holds what is being sent for a person, because others may have sent it too. Returns how many runs. */
  holdOpen(tx: Db, reason: string): Promise<number>
}

import { ApiError } from '../protocol/errors.ts'
import type { EventRecord } from './store.ts'

/** The API call that caused an event. */
export type EventRequest = EventRecord['request']

const noRequest: EventRequest = { id: null, idempotencyKey: null }

type Transaction = { request: EventRequest; events: EventRecord[]; undo: (() => void)[] }

/**
 * Creates the transactions of a store.
 * @param publish is called with the events of a transaction at its end, and with every other event at once
 */
export function createTransactions(publish: (events: readonly EventRecord[]) => void) {
  let transaction: Transaction | undefined

  return {
    /** Returns the API call of the current transaction. */
    request: () => transaction?.request ?? noRequest,
    /** Notes how to undo a change. */
    onChange(undo: () => void) {
      transaction?.undo.push(undo)
    },
    onEvent(event: EventRecord) {
      if (transaction) transaction.events.push(event)
      else publish([event])
    },
    /** Runs a call. An invalid request is undone; a declined card leaves the failed payment. */
    transact<Result>(run: () => Result, request: EventRequest = noRequest): Result {
      const current: Transaction = { request, events: [], undo: [] }
      transaction = current
      try {
        return run()
      } catch (error) {
        transaction = undefined
        if (isRefusal(error)) {
          current.events = []
          for (const undo of current.undo.reverse()) undo()
        }
        throw error
      } finally {
        transaction = undefined
        publish(current.events)
      }
    },
  }
}

function isRefusal(error: unknown) {
  return !(error instanceof ApiError) || error.type === 'invalid_request_error'
}

/** The live feed's connection. `attempt` counts the attempts since the last stable connection. */
export type Connection =
  | { status: 'idle' }
  | { status: 'connecting'; attempt: number }
  | { status: 'open'; attempt: number }
  | { status: 'waiting'; attempt: number; delayMs: number }

export type ConnectionEvent =
  | { type: 'started' }
  | { type: 'opened' }
  | { type: 'stabilized' }
  /** `random`, from 0 to 1, spreads the readers who lost the same server. */
  | { type: 'dropped'; random: number }
  | { type: 'delayElapsed' }
  | { type: 'stopped' }

const firstDelayMs = 1000
const maxDelayMs = 30_000

/** How long a connection must stay open to count as stable, which resets the backoff. */
export const stableAfterMs = 10_000

/** Returns the next state. Retries use exponential backoff up to 30 seconds, with full jitter. */
export function connectionReducer(connection: Connection, event: ConnectionEvent): Connection {
  switch (event.type) {
    case 'started':
      return connection.status === 'idle' ? { status: 'connecting', attempt: 0 } : connection
    case 'opened':
      return connection.status === 'connecting' ? { ...connection, status: 'open' } : connection
    case 'stabilized':
      return connection.status === 'open' ? { status: 'open', attempt: 0 } : connection
    case 'dropped': {
      if (connection.status !== 'connecting' && connection.status !== 'open') return connection
      const ceilingMs = Math.min(maxDelayMs, firstDelayMs * 2 ** connection.attempt)
      const delayMs = Math.round(ceilingMs * event.random)
      return { status: 'waiting', attempt: connection.attempt + 1, delayMs }
    }
    case 'delayElapsed':
      return connection.status === 'waiting'
        ? { status: 'connecting', attempt: connection.attempt }
        : connection
    case 'stopped':
      return { status: 'idle' }
  }
}

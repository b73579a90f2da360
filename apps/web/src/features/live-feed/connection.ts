/** The live feed's connection. `attempt` counts the tries since it last held. */
export type Connection =
  | { status: 'idle' }
  | { status: 'connecting'; attempt: number }
  | { status: 'open'; attempt: number }
  | { status: 'waiting'; attempt: number; delayMs: number }

export type ConnectionEvent =
  | { type: 'started' }
  | { type: 'opened' }
  | { type: 'held' }
  /** `chance`, from 0 to 1, spreads the readers who lost the same server. */
  | { type: 'dropped'; chance: number }
  | { type: 'waited' }
  | { type: 'stopped' }

const firstDelayMs = 1000
const longestDelayMs = 30_000

/** For how long a connection must hold until it counts as good and the delays begin anew. */
export const holdMs = 10_000

/** The next state. Delays grow twofold up to 30 s, each a random part of that (full jitter). */
export function connectionReducer(connection: Connection, event: ConnectionEvent): Connection {
  switch (event.type) {
    case 'started':
      return connection.status === 'idle' ? { status: 'connecting', attempt: 0 } : connection
    case 'opened':
      return connection.status === 'connecting' ? { ...connection, status: 'open' } : connection
    case 'held':
      return connection.status === 'open' ? { status: 'open', attempt: 0 } : connection
    case 'dropped': {
      if (connection.status !== 'connecting' && connection.status !== 'open') return connection
      const ceilingMs = Math.min(longestDelayMs, firstDelayMs * 2 ** connection.attempt)
      const delayMs = Math.round(ceilingMs * event.chance)
      return { status: 'waiting', attempt: connection.attempt + 1, delayMs }
    }
    case 'waited':
      return connection.status === 'waiting'
        ? { status: 'connecting', attempt: connection.attempt }
        : connection
    case 'stopped':
      return { status: 'idle' }
  }
}

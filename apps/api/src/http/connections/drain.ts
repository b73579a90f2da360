import type { App } from '../app-type.ts'

export type Drain = ReturnType<typeof createDrain>

/** Creates the state of a process that is about to stop: it serves on, and asks for no further requests. */
export function createDrain() {
  let isDraining = false
  return {
    isDraining: (): boolean => isDraining,
    begin(): void {
      isDraining = true
    },
  }
}

/** Ends kept connections with their next response while the process drains. */
export function closeConnectionsWhileDraining(app: App, drain: Drain): void {
  app.addHook('onRequest', (_request, reply, done) => {
    // On the raw response, because cached ones bypass Fastify's headers.
    if (drain.isDraining()) reply.raw.setHeader('Connection', 'close')
    done()
  })
}

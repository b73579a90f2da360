import type { KeptWorld } from './create-store.ts'

/** Does what a page was asked for as one: a refused request leaves nothing, and events are told of once it is through. */
export function asOne<Result>(world: KeptWorld, run: () => Result): Result {
  return world.during({ id: null, idempotencyKey: null }, run)
}

/** Faults of deliveries, each with a probability from 0 to 1. The seed makes them repeatable. */
export type WebhookChaos = { loss: number; duplication: number; reordering: number; seed: number }

const noChaos: WebhookChaos = { loss: 0, duplication: 0, reordering: 0, seed: 1 }
const maxReorderingMs = 300

/** Creates what decides the fate of each delivery. There are no faults until they are set. */
export function createWebhookChaos() {
  let chaos = noChaos
  let random = seededRandom(chaos.seed)
  return {
    set(wanted: WebhookChaos) {
      chaos = wanted
      random = seededRandom(chaos.seed)
    },
    loses: () => random() < chaos.loss,
    duplicates: () => random() < chaos.duplication,
    /** Returns by how much a delivery is late; null for one that is not. */
    reorderingMs: () => (random() < chaos.reordering ? random() * maxReorderingMs : null),
  }
}

/** Returns a random number generator (mulberry32) that repeats for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

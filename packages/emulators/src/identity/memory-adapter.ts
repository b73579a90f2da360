import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

const limit = 5_000

/** Stores the newest sign-ins in memory. The provider checks their expiry. */
export function createMemoryAdapters(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>()

  return (model): Adapter => ({
    async upsert(id, payload) {
      kept.delete(`${model}:${id}`)
      kept.set(`${model}:${id}`, payload)
      const oldest = kept.keys().next().value
      if (kept.size > limit && oldest) kept.delete(oldest)
    },
    find: async (id) => kept.get(`${model}:${id}`),
    async findByUid(uid) {
      for (const [key, payload] of kept) {
        if (key.startsWith(`${model}:`) && payload.uid === uid) return payload
      }
      return undefined
    },
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = kept.get(`${model}:${id}`)
      if (payload) payload.consumed = true
    },
    async destroy(id) {
      kept.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
    },
  })
}

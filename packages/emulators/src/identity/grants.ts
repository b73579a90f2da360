import type { Person } from './people.ts'

/** The access that a person has allowed a client. */
export type Grant = { person: Person; redirectUri: string; challenge: string | undefined; scope: string }

export type Grants = ReturnType<typeof createGrants>

const limit = 1_000

/** Creates a store of grants by codes or tokens, which drops the oldest beyond its limit. */
export function createGrants(prefix: string) {
  const grants = new Map<string, Grant>()
  let count = 0
  return {
    /** Stores a grant and returns its name, which need not be secret. */
    keep(grant: Grant): string {
      count += 1
      const name = `${prefix}_${count}`
      grants.set(name, grant)
      const oldest = grants.keys().next().value
      if (grants.size > limit && oldest) grants.delete(oldest)
      return name
    },
    find: (name: string) => grants.get(name),
    /** Returns a grant and removes it. */
    take(name: string): Grant | undefined {
      const grant = grants.get(name)
      grants.delete(name)
      return grant
    },
  }
}

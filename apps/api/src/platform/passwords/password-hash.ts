import { randomBytes } from 'node:crypto'

/** The cost of a hash: memory in KiB and passes. */
export type HashCost = { memoryKiB: number; passes: number }

const currentVersion = 19
const saltBytes = 16
const hashBytes = 32

/** Returns whether a stored hash (a PHC string) is not argon2id, or weaker than this cost. */
export function isBelow(hash: string, { memoryKiB, passes }: HashCost): boolean {
  const match = /^\$argon2id\$v=(\d+)\$([a-z]=\d+(?:,[a-z]=\d+)*)\$/.exec(hash)
  if (!match) return true
  const costs = new Map(match[2]?.split(',').map((part) => [part.charAt(0), Number(part.slice(2))]))
  return (
    Number(match[1]) < currentVersion || (costs.get('m') ?? 0) < memoryKiB || (costs.get('t') ?? 0) < passes
  )
}

/** Returns a hash that no password matches and that takes as long to verify as a real one. */
export function createDummyHash({ memoryKiB, passes }: HashCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=${currentVersion}$m=${memoryKiB},t=${passes},p=1$${random(saltBytes)}$${random(hashBytes)}`
}

/** A network with its waiting items, or with the narrower networks that have them. */
type Branch<T> = { size: number; items: T[]; parts: Map<string, Branch<T>> }

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>

/**
 * Creates a queue in which networks take turns: each gets the same share, however much it adds. A network is given by
 * its path of names, from the widest to the narrowest, and the parts of a network take turns in its share.
 */
export function createFairQueue<T>() {
  const root: Branch<T> = createBranch()

  return {
    get size() {
      return root.size
    },
    /** Returns the size of the widest network of a path. */
    sizeOf: ([widest = '']: readonly string[]): number => root.parts.get(widest)?.size ?? 0,
    /** Returns the size of the network that has the most waiting items. */
    largestSize: (): number => Math.max(0, ...Array.from(root.parts.values(), ({ size }) => size)),
    /** Counts the items that would leave before a new one of this network. */
    countBefore: (path: readonly string[]): number => countBefore(root, path),
    add(path: readonly string[], item: T): void {
      let branch = root
      branch.size += 1
      for (const name of path) {
        const part = branch.parts.get(name) ?? createBranch<T>()
        branch.parts.set(name, part)
        part.size += 1
        branch = part
      }
      branch.items.push(item)
    },
    /** Takes the next item: the oldest of the network whose turn it is. */
    take: (): T | undefined => takeFrom(root),
    /**
     * Takes the newest item of the network that has the most, and there of its largest part. With the path of a new item,
     * counts it too, and returns undefined if it is that newest one.
     */
    takeFromLargest: (added: readonly string[] | null = null): T | undefined => takeNewest(root, added),
  }
}

function createBranch<T>(): Branch<T> {
  return { size: 0, items: [], parts: new Map() }
}

function takeFrom<T>(branch: Branch<T>): T | undefined {
  if (branch.size === 0) return undefined
  branch.size -= 1
  const [next] = branch.parts
  if (next === undefined) return branch.items.shift()
  const [name, part] = next
  const item = takeFrom(part)
  // Goes to the end of the round.
  branch.parts.delete(name)
  if (part.size > 0) branch.parts.set(name, part)
  return item
}

function countBefore<T>(branch: Branch<T>, [own, ...rest]: readonly string[]): number {
  if (own === undefined) return branch.size
  const part = branch.parts.get(own)
  const inPart = part === undefined ? 0 : countBefore(part, rest)
  let count = inPart
  // Parts before its own in the round have one more turn than those after it.
  let turns = inPart + 1
  for (const [name, { size }] of branch.parts) {
    if (name === own) turns = inPart
    else count += Math.min(size, turns)
  }
  return count
}

function takeNewest<T>(branch: Branch<T>, added: readonly string[] | null): T | undefined {
  const [own, ...rest] = added ?? []
  let largest = own
  let max = own === undefined ? 0 : (branch.parts.get(own)?.size ?? 0) + 1
  for (const [name, { size }] of branch.parts) if (size > max) [largest, max] = [name, size]
  if (largest === undefined) return added === null ? takeLast(branch) : undefined
  const part = branch.parts.get(largest)
  const item = part && takeNewest(part, largest === own ? rest : null)
  if (item === undefined) return undefined
  branch.size -= 1
  if (part?.size === 0) branch.parts.delete(largest)
  return item
}

function takeLast<T>(branch: Branch<T>): T | undefined {
  const item = branch.items.pop()
  branch.size = branch.items.length
  return item
}

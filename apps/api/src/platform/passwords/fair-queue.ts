/** A network with its waiting items, or with the narrower networks that have them. */
type Branch<T> = { size: number; items: T[]; parts: Map<string, Branch<T>> }

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>

/**
 * Creates a queue in which networks take turns: each gets the same share, however much it adds. A network is given by
 * its path of names, from the widest to the narrowest, and the parts of a network take turns in its share.
 */
export function createFairQueue<T>() {
  const root: Branch<T> = createBranch()

  function largest(): Branch<T> | null {
    let found: Branch<T> | null = null
    for (const branch of root.parts.values()) if (branch.size > (found?.size ?? 0)) found = branch
    return found
  }

  function sizeOf([widest = '']: readonly string[]): number {
    return root.parts.get(widest)?.size ?? 0
  }

  return {
    get size() {
      return root.size
    },
    sizeOf,
    /** Returns the size of the network that has the most waiting items. */
    largestSize: (): number => largest()?.size ?? 0,
    /** Counts the items that would leave before a new one of this network. */
    countBefore(path: readonly string[]): number {
      const own = sizeOf(path)
      let count = own
      for (const [name, { size }] of root.parts) if (name !== path[0]) count += Math.min(size, own + 1)
      return count
    },
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
    /** Takes the newest item of the network that has the most. */
    takeFromLargest(): T | undefined {
      const branch = largest()
      if (branch === null) return undefined
      root.size -= 1
      const item = takeNewest(branch)
      if (branch.size === 0) removePart(root, branch)
      return item
    },
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

function takeNewest<T>(branch: Branch<T>): T | undefined {
  branch.size -= 1
  const parts = [...branch.parts.values()]
  const [first] = parts
  if (first === undefined) return branch.items.pop()
  const part = parts.reduce((most, other) => (other.size > most.size ? other : most), first)
  const item = takeNewest(part)
  if (part.size === 0) removePart(branch, part)
  return item
}

function removePart<T>(branch: Branch<T>, part: Branch<T>): void {
  for (const [name, other] of branch.parts) if (other === part) branch.parts.delete(name)
}

import { findProcessFacts } from './process-facts.ts'

const checkIntervalMs = 1_000

// The commands between `npx` and this process. The user's own interactive shell is not one of them.
const isWrapper = /\b(npx|npm|pnpm)\b|^(\/\S*\/)?(sh|bash|dash|cmd(\.exe)?) -c /

/** Returns the process ids from this process up to its `npx` or `pnpm`, nearest first. */
export async function commandChain(pid: number, findProcess = findProcessFacts): Promise<number[]> {
  const chain = [pid]
  for (let facts = await findProcess(pid); facts && facts.parent > 1; ) {
    const parent = await findProcess(facts.parent)
    if (!parent || !isWrapper.test(parent.command)) break
    chain.push(parent.pid)
    facts = parent
  }
  return chain
}

/**
 * Calls `onDeath` once when a parent in the command chain dies, as after a `kill -9` of `npx`, which sends no signal.
 * Returns a function that ends the watch.
 */
export async function watchAncestors(onDeath: () => void): Promise<() => void> {
  const chain = await commandChain(process.pid)
  let timer = setTimeout(check, checkIntervalMs)
  timer.unref()

  async function check() {
    for (const [index, pid] of chain.entries()) {
      const above = chain[index + 1]
      // An orphan gets a new parent at once, even while the dead parent still has an entry.
      if (above !== undefined && (await findProcessFacts(pid))?.parent !== above) return onDeath()
    }
    timer = setTimeout(check, checkIntervalMs)
    timer.unref()
  }

  return () => clearTimeout(timer)
}

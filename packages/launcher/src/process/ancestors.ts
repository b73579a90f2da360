import { factsOf } from './process-facts.ts'

const lookEveryMs = 1_000

// The chain from `npx` down to this process, shells in between included; the user's own shell is not part of it.
const ofTheChain = /\b(npx|npm|pnpm)\b|^(\/\S*\/)?(sh|bash|dash|cmd(\.exe)?) -c /

/** The process ids from this process up to the `npx` or `pnpm` that it runs under, nearest first. */
export async function commandChain(pid: number, look = factsOf): Promise<number[]> {
  const chain = [pid]
  for (let facts = await look(pid); facts && facts.parent > 1; ) {
    const parent = await look(facts.parent)
    if (!parent || !ofTheChain.test(parent.command)) break
    chain.push(parent.pid)
    facts = parent
  }
  return chain
}

/**
 * Calls `onDeath` once when a process of the chain above this one is gone, as after a `kill -9` of `npx`: nobody passes
 * that on. Answers with what ends the watch.
 */
export async function watchAncestors(onDeath: () => void): Promise<() => void> {
  const chain = await commandChain(process.pid)
  let timer = setTimeout(look, lookEveryMs)
  timer.unref()

  async function look() {
    for (const [index, pid] of chain.entries()) {
      const above = chain[index + 1]
      // Whoever loses its parent gets another one at once, even while the dead one still has an entry.
      if (above !== undefined && (await factsOf(pid))?.parent !== above) return onDeath()
    }
    timer = setTimeout(look, lookEveryMs)
    timer.unref()
  }

  return () => clearTimeout(timer)
}

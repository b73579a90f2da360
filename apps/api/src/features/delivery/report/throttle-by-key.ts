/**
 * Returns a function that calls `run` with a key: at once, then at most once per interval, and once more after the last
 * call. Calls of `run` for one key never overlap.
 */
export function throttleByKey<Key>(run: (key: Key) => Promise<void>, intervalMs: number): (key: Key) => void {
  /** The keys that ran in this interval, and whether they must run again. */
  const recent = new Map<Key, { isAskedAgain: boolean }>()

  function start(key: Key): void {
    recent.set(key, { isAskedAgain: false })
    void run(key).finally(() => setTimeout(() => end(key), intervalMs).unref())
  }

  function end(key: Key): void {
    const isAskedAgain = recent.get(key)?.isAskedAgain
    recent.delete(key)
    if (isAskedAgain) start(key)
  }

  return (key) => {
    const state = recent.get(key)
    if (state === undefined) start(key)
    else state.isAskedAgain = true
  }
}

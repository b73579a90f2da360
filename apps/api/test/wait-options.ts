/**
 * How long a test waits for a fact, for `vi.waitFor` and `expect.poll`. Facts come at once on a machine that has nothing
 * else to do; only one that never comes makes a test wait this long.
 */
export const waitOptions = { timeout: 60_000, interval: 20 }

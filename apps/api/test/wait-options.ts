/** Options of `vi.waitFor` and `expect.poll`. The timeout is long for busy machines; only failing tests reach it. */
export const waitOptions = { timeout: 60_000, interval: 20 }

// @vitest-environment node
import { describe, expect, it } from 'vitest'

describe('the module without a window', () => {
  it('creates a client without a session', async () => {
    expect(typeof window).toBe('undefined')
    const { createMembershipClient } = await import('./index.ts')
    const client = createMembershipClient({
      apiBase: 'https://api.news.example',
      publicKey: 'pk_test',
      useCookies: true,
    })
    expect(client.getMemberToken()).toBeUndefined()
    expect(await client.getCurrentMember()).toEqual({ data: null })
    expect(await client.onReady).toBeNull()
    client.destroy()
  })
})

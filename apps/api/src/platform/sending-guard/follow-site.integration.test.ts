import { describe, expect } from 'vitest'
import { guardTest, otherWorker, sendFirst, sendingFolderOf } from '#test/sites/guarded-site.ts'

const it = guardTest()
const siteUrl = 'https://news.example'

describe('a worker that starts with another SITE_URL', () => {
  it('is accepted while no edition was sent', async ({ delivery }) => {
    const { context } = delivery.site
    expect(await context.sendingGuard.check()).toBeNull()
    const dataDir = sendingFolderOf(delivery).replace(/\/sending$/, '')
    await using other = await otherWorker(delivery, { siteUrl, dataDir })
    expect(await other.context.sendingGuard.check()).toBe('other-site-url')

    await other.context.sendingGuard.start()
    expect(await other.context.sendingGuard.check()).toBeNull()
    await other.context.sendingGuard.assertOpen()
    expect(await context.sendingGuard.check()).toBe('other-site-url')
    await expect(context.sendingGuard.assertOpen()).rejects.toMatchObject({ code: 'sending-held' })
  })

  it('waits for a person once an edition was sent', async ({ delivery }) => {
    await sendFirst(delivery)
    await using other = await otherWorker(delivery, { siteUrl })
    await other.context.sendingGuard.start()
    expect(await other.context.sendingGuard.check()).toBe('other-site-url')
    expect(await delivery.site.context.sendingGuard.check()).toBeNull()
  })
})

import { screen, waitFor } from '@testing-library/react'
import { endMemberFeed, getMemberFeed, renewMemberFeed } from '@tidings/contracts/membership/member-feed'
import { describe, expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderAccount } from '#testing/render-account.ts'
import { feedKey } from '../feed.ts'

const data = {
  createdAt: '2026-11-20T20:00:00.000Z',
  rss: 'https://news.example/feeds/secret/rss',
  json: 'https://news.example/feeds/secret/json',
}

describe('the feed on the dashboard', () => {
  it('shows its addresses once, and ends', async () => {
    const { user } = await renderAccount('/account/dashboard')
    apiServer.use(
      fake(renewMemberFeed, () => ({ data })),
      fake(endMemberFeed, () => ({ data: { success: true as const } })),
    )

    await user.click(await screen.findByRole('button', { name: 'Create a feed address' }))
    expect(await screen.findByDisplayValue(data.rss)).toBeDefined()
    expect(screen.getByDisplayValue(data.json)).toBeDefined()
    expect(screen.getByText('Copy the address now. We show it only once.')).toBeDefined()

    await user.click(screen.getByRole('button', { name: 'End the feed' }))
    await screen.findByRole('button', { name: 'Create a feed address' })
    expect(screen.queryByDisplayValue(data.rss)).toBeNull()
  })

  it('stays when the reply about the time before arrives late', async () => {
    const held = Promise.withResolvers<void>()
    const { user, queryClient } = await renderAccount('/account/dashboard')
    apiServer.use(
      fake(getMemberFeed, async () => {
        await held.promise
        return { data: null }
      }),
      fake(renewMemberFeed, () => ({ data })),
    )

    await user.click(await screen.findByRole('button', { name: 'Create a feed address' }))
    await screen.findByDisplayValue(data.rss)
    held.resolve()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))

    expect(screen.getByRole('button', { name: 'Renew the feed address' })).toBeDefined()
  })

  it('is not shown any more once it ended with the other sessions, and can be created anew', async () => {
    const { user, queryClient } = await renderAccount('/account/dashboard')
    const renewed = { ...data, createdAt: '2026-11-20T21:00:00.000Z', rss: data.rss.replace('secret', 'new') }
    let replies = [data, renewed]
    apiServer.use(
      fake(renewMemberFeed, () => {
        const [next = data, ...others] = replies
        replies = others
        return { data: next }
      }),
    )
    await user.click(await screen.findByRole('button', { name: 'Create a feed address' }))
    await screen.findByDisplayValue(data.rss)

    await queryClient.invalidateQueries({ queryKey: feedKey })
    await screen.findByText('Your feed address has ended. Create a new one.')
    expect(screen.queryByDisplayValue(data.rss)).toBeNull()

    await user.click(screen.getByRole('button', { name: 'Create a feed address' }))
    await screen.findByDisplayValue(renewed.rss)
    expect(screen.queryByText(/has ended/)).toBeNull()
  })

  it('says why there is no address', async () => {
    const { user } = await renderAccount('/account/dashboard')
    const text = 'Too many requests. Try again in a minute.'
    apiServer.use(fake(renewMemberFeed, () => errorResponse(429, 'too-many-requests', text)))

    await user.click(await screen.findByRole('button', { name: 'Create a feed address' }))

    await screen.findByText(text)
  })
})
